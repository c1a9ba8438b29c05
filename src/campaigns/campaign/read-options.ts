import { type Caller, visible } from '../../access/index.ts';
import { notFound } from '../../core/errors.ts';
import { type Queryable, raw, sql } from '../../db/statement.ts';
import { optionNames } from '../../fields/option.ts';
import { CAMPAIGN_OPTIONS, type CampaignOptions } from '../options/campaign-options.ts';

/** Reads the options of a campaign. Throws `not_found` unless the caller can see it. Index: campaigns_pkey. */
export async function getCampaignOptions(db: Queryable, caller: Caller, id: number): Promise<CampaignOptions> {
  const columns = optionNames(CAMPAIGN_OPTIONS).map((name) => `c.${name}`);
  const [row] = await db.query<CampaignOptions>(sql`
    select ${raw(columns.join(', '))} from campaigns c where c.id = ${id} and ${visible(caller, 'campaigns', 'c')}`);
  if (row === undefined) throw notFound('campaign');
  return row;
}

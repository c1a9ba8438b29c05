import { type Caller, visible } from '../../access/index.ts';
import { notFound } from '../../core/errors.ts';
import { type Queryable, sql } from '../../db/statement.ts';
import type { WhenUnknown } from '../states/campaign.ts';

/** Settings of a campaign beside the record that the API specification fixes. */
export interface CampaignOptions {
  /** Apply the sending hours in each contact's own time zone, if its custom field `timezone` names one. */
  use_contact_timezone: boolean;
  /** Enrolling somebody reopens the campaign after it completed. */
  auto_reopen: boolean;
  track_opens: boolean;
  track_clicks: boolean;
  /** A reply from one contact stops the enrolments of everyone else at the same company. */
  stop_company: boolean;
  /** Add the workspace's footer to emails whose body has no unsubscribe link. */
  footer: boolean;
  /** After an email whose delivery is unknown, wait for a proof or a person, or continue the sequence. */
  when_unknown: WhenUnknown;
}

/** The options of a campaign that the caller may see. Index: campaigns_pkey. Throws `not_found`. */
export async function getCampaignOptions(db: Queryable, caller: Caller, id: number): Promise<CampaignOptions> {
  const [row] = await db.query<CampaignOptions>(sql`
    select c.use_contact_timezone, c.auto_reopen, c.track_opens, c.track_clicks, c.stop_company, c.footer, c.when_unknown
    from campaigns c where c.id = ${id} and ${visible(caller, 'campaigns', 'c')}`);
  if (row === undefined) throw notFound('campaign');
  return row;
}

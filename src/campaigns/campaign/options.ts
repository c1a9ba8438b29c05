import { type Caller, visible } from '../../access/index.ts';
import { notFound } from '../../core/errors.ts';
import { type Queryable, raw, sql } from '../../db/statement.ts';
import type { InCampaign, ProviderMatch, WhenUnknown } from '../states/campaign.ts';
import type { CopyAddresses } from './copy-addresses.ts';
import type { Subsequence } from './subsequences.ts';

/** Settings of a campaign beside the record that the API specification fixes. */
export interface CampaignOptions extends CopyAddresses {
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
  /** Take one text of each choice `{a|b}` in subjects and bodies; otherwise it is sent as it stands. */
  spintax: boolean;
  /** After an email whose delivery is unknown, wait for a proof or a person, or continue the sequence. */
  when_unknown: WhenUnknown;
  /** Sending hours beside those of the record, on the same days, such as `14-17`. */
  more_hours: string[];
  /** Country or part of it on whose public holidays nothing is sent, such as `DE-BY`. */
  holidays: string | null;
  /** Most first emails on a day of its time zone, in all campaigns of its rotation group together. */
  new_contacts_per_day: number | null;
  /** Most emails on a day to addresses of one domain that is no mailbox provider's, in its rotation group together. */
  max_per_company_per_day: number | null;
  /** Enrolling leaves out contacts who are in another campaign. */
  skip_if_in_campaign: InCampaign;
  /** Contacts at Google or Microsoft are emailed from accounts of the rotation group there. */
  provider_match: ProviderMatch;
  /** Whoever joins this list from now on is enrolled. */
  list_id: number | null;
  /** Rules by which contacts are enrolled into other campaigns. */
  subsequences: Subsequence[];
}

/** The columns of the options. */
export const OPTIONS = [
  ...['use_contact_timezone', 'auto_reopen', 'track_opens', 'track_clicks', 'stop_company', 'footer', 'spintax', 'when_unknown'],
  ...['more_hours', 'holidays', 'new_contacts_per_day', 'max_per_company_per_day', 'skip_if_in_campaign', 'list_id', 'cc', 'bcc'],
  ...['provider_match', 'subsequences'],
] as const;

/** The options of a campaign that the caller may see. Index: campaigns_pkey. Throws `not_found`. */
export async function getCampaignOptions(db: Queryable, caller: Caller, id: number): Promise<CampaignOptions> {
  const [row] = await db.query<CampaignOptions>(sql`
    select ${raw(OPTIONS.map((option) => `c.${option}`).join(', '))} from campaigns c where c.id = ${id} and ${visible(caller, 'campaigns', 'c')}`);
  if (row === undefined) throw notFound('campaign');
  return row;
}

import { isKnownZone } from '../../core/zone.ts';
import { raw, type Sql, sql } from '../../db/database.ts';

/** Key of the custom field in which a contact names its own time zone, such as `Europe/Berlin`. */
export const ZONE_FIELD = 'timezone';

/** Whether a campaign goes by its contacts' own zones: it is set so, and the workspace has the field. */
export const usesContactZones = (campaign: string): Sql => {
  const c = raw(campaign);
  return sql`(${c}.use_contact_timezone and exists (
    select from custom_fields f where f.workspace_id = ${c}.workspace_id and f.key = ${ZONE_FIELD} and f.deleted_at is null))`;
};

/** What of an enrolment's own zone counts for its campaign, as a column: null where the campaign's does. */
export const contactZone = (enrolment: string, campaign: string): Sql =>
  sql`case when ${usesContactZones(campaign)} then ${raw(enrolment)}.timezone end`;

/** The zone in which a contact's hours are read: its own where that is one, else the campaign's. */
export const zoneOfContact = (own: string | null, campaignZone: string): string => (own !== null && isKnownZone(own) ? own : campaignZone);

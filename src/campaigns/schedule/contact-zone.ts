import { isKnownZone } from '../../core/zone.ts';
import { raw, type Sql, sql } from '../../db/statement.ts';

/** Key of the custom field that holds a contact's own time zone, such as `Europe/Berlin`. */
export const ZONE_FIELD = 'timezone';

/**
 * Selects the time zone in the custom field of contact `alias`, for `enrolments.timezone`; null without one. The trigger
 * `contacts_timezone` keeps that column up to date.
 */
export const zoneInFields = (alias: string): Sql => {
  const zone = sql`${raw(alias)}.custom_fields->>${ZONE_FIELD}`;
  return sql`case when length(${zone}) between 1 and 64 then ${zone} end`;
};

/** Condition: a campaign uses its contacts' own time zones: the option is on, and the workspace has the field. */
export const usesContactZones = (campaign: string): Sql => {
  const c = raw(campaign);
  return sql`(${c}.use_contact_timezone and exists (
    select from custom_fields f where f.workspace_id = ${c}.workspace_id and f.key = ${ZONE_FIELD} and f.deleted_at is null))`;
};

/** The contact's own time zone as a column; null if the campaign does not use it or the contact has none. */
export const contactZone = (enrolment: string, campaign: string): Sql =>
  sql`case when ${usesContactZones(campaign)} then ${raw(enrolment)}.timezone end`;

/** Returns the time zone that applies to a contact: the contact's own if it is known, else the campaign's. */
export const zoneOfContact = (own: string | null, campaignZone: string): string => (own !== null && isKnownZone(own) ? own : campaignZone);

import { isLiveAccount } from '../../accounts/index.ts';
import { raw, type Sql, sql } from '../../db/statement.ts';
import { isOneOf } from '../../db/words.ts';

export const ENROLMENT_STATUSES = ['active', 'replied', 'stopped', 'bounced', 'completed'] as const;
export type EnrolmentStatus = (typeof ENROLMENT_STATUSES)[number];
export type EndStatus = Exclude<EnrolmentStatus, 'active'>;

/** Stop reason of enrolments that the setting `stop_company` ends. */
export const COLLEAGUE_REPLIED = 'somebody else at the company replied';

/** Enrolment `alias` has one of these statuses. */
export const enrolmentIs = (alias: string, ...statuses: [EnrolmentStatus, ...EnrolmentStatus[]]): Sql =>
  isOneOf(`${alias}.status`, statuses);

/** Enrolment `alias` is active and waits for the time of its step: no email of it is in flight, and no call pending. */
export const isWaiting = (alias: string): Sql => sql`${enrolmentIs(alias, 'active')} and ${raw(alias)}.due_at is not null`;

/**
 * Enrolment `alias` waits until the provider of its contact is known, or an account of the rotation group sends from there. Nothing is due
 * meanwhile, so that batches don't have to pass over these enrolments, however many wait. Index: enrolments_held.
 */
export const isHeldForProvider = (alias: string): Sql => sql`${raw(alias)}.hold_kind = 'provider'`;

/** Enrolment `alias` waits until the email of its step can be rendered; nothing is due meanwhile. Index: enrolments_held. */
export const isHeldForContent = (alias: string): Sql => sql`${raw(alias)}.hold_kind = 'content'`;

/** Assignments that end a hold for content; the caller sets the time at which the enrolment is due. */
export const noContentHold: Sql = sql`hold_kind = null, content_fault = null, content_version = null`;

/** Enrolment `alias` has no timed hold at this instant. */
export const isNotHeld = (alias: string, now: Date | Sql): Sql =>
  sql`(${raw(alias)}.held_until is null or ${raw(alias)}.held_until <= ${now})`;

/** Enrolment `alias` is due: it is active, its wait is over and it has no timed hold. Indexes: enrolments_active. */
export const isDue = (alias: string, now: Date | Sql): Sql =>
  sql`${enrolmentIs(alias, 'active')} and ${raw(alias)}.due_at <= ${now} and ${isNotHeld(alias, now)}`;

/**
 * Selects the account that sends to an enrolment: the one it was last emailed from if that is live, else its campaign's.
 * @param campaign alias of the campaign, or of another row with its `account_id`
 */
export const sendsFrom = (enrolment: string, campaign: string): Sql => sql`coalesce(
  (select l.id from accounts l where l.id = ${raw(enrolment)}.account_id and ${isLiveAccount('l')}), ${raw(campaign)}.account_id)`;

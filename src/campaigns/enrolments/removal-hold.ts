import type { App } from '../../app.ts';
import { type Sql, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { wakeCampaign } from '../campaign/wake.ts';

/** The reason of a hold of somebody who may ask to be removed, until a person decides. */
const REASON = 'may_ask_to_be_removed';
/** No end: a person decides. */
const NO_END = '9999-12-31T00:00:00Z';
/** A state without any hold, for `before_hold`. */
const NO_HOLD = JSON.stringify({ held_until: null, hold_reason: null, held_by: null, before_hold: null });

/**
 * Holds the contact of an enrolment in all campaigns of their workspace, because their reply may ask for no more email. The enrolment itself
 * is marked even if it has ended, so that campaigns that enrol the contact later hold them too, see `heldForRemoval`. Each keeps the hold
 * that it had, for `undoReply`. Index: enrolments_contact.
 */
export async function holdForRemoval(tx: Tx, app: App, enrolmentId: number, replyId: number): Promise<void> {
  const now = app.clock.now();
  const held = await tx.query<{ campaign_id: number }>(sql`
    with wanted as (
      select e.id from enrolments e
      where e.contact_id = (select contact_id from enrolments where id = ${enrolmentId}) and (e.status = 'active' or e.id = ${enrolmentId})
      order by e.id for no key update)
    update enrolments e set held_until = ${NO_END}::timestamptz, hold_reason = ${REASON}, held_by = ${replyId}, updated_at = ${now},
      before_hold = jsonb_build_object('held_until', e.held_until, 'hold_reason', e.hold_reason, 'held_by', e.held_by, 'before_hold', e.before_hold)
    from wanted where e.id = wanted.id returning e.campaign_id`);
  for (const { campaign_id } of held) await wakeCampaign(tx, campaign_id, now);
}

/** The reply for which contact `k` is held, as a value; null if nobody has to decide about them. Index: enrolments_contact. */
export const removalReplyOf: Sql = sql`(select h.held_by from enrolments h
  where h.contact_id = k.id and h.hold_reason = ${REASON} and h.held_by is not null order by h.id desc limit 1)`;

/** Columns of a new enrolment of a contact who is held for the reply `asked_by`: held_until, hold_reason, held_by, before_hold. */
export const heldForRemoval: Sql = sql`case when asked_by is not null then ${NO_END}::timestamptz end,
  case when asked_by is not null then ${REASON} end, asked_by, case when asked_by is not null then ${NO_HOLD}::jsonb end`;

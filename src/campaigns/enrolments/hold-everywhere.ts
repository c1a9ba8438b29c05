import type { App } from '../../app.ts';
import { type Sql, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { wakeCampaign } from '../campaign/wake.ts';

/** Hold reason of a contact who may be asking to be removed. */
const MAY_ASK = 'may_ask_to_be_removed';
/** The end of a hold that only a person ends. */
const NO_END = new Date('9999-12-31T00:00:00Z');
/** The state without a hold, for `before_hold`. */
const NO_HOLD = JSON.stringify({ held_until: null, hold_reason: null, held_by: null, before_hold: null });

/**
 * A hold of a contact because of their reply, until an instant. `replyId` is null if the reply is not stored, so that no correction can
 * undo the hold.
 */
interface HoldForReply {
  until: Date;
  reason: string;
  replyId: number | null;
}

/**
 * Holds the contact of an enrolment in all campaigns of their workspace. Marks the enrolment itself even if it has ended, so that campaigns
 * which enrol the contact before the end of the hold also hold them, see `longestHoldOf`. Only ever extends a hold. Each enrolment keeps
 * its previous hold for `undoReply`. Index: enrolments_contact.
 */
export async function holdEverywhere(tx: Tx, app: App, enrolmentId: number, { until, reason, replyId }: HoldForReply): Promise<void> {
  const now = app.clock.now();
  const held = await tx.query<{ campaign_id: number }>(sql`
    with wanted as (
      select e.id from enrolments e
      where e.contact_id = (select contact_id from enrolments where id = ${enrolmentId}) and (e.status = 'active' or e.id = ${enrolmentId})
        and (e.held_until is null or e.held_until < ${until})
      order by e.id for no key update)
    update enrolments e set held_until = ${until}, hold_reason = ${reason}, held_by = ${replyId}::int, updated_at = ${now},
      before_hold = case when ${replyId}::int is not null then jsonb_build_object('held_until', e.held_until, 'hold_reason', e.hold_reason,
        'held_by', e.held_by, 'before_hold', e.before_hold) end
    from wanted where e.id = wanted.id returning e.campaign_id`);
  for (const { campaign_id } of held) await wakeCampaign(tx, campaign_id, now);
}

/** Holds the contact of an enrolment until a person decides whether their reply asks for no more email. */
export const holdForRemoval = (tx: Tx, app: App, enrolmentId: number, replyId: number): Promise<void> =>
  holdEverywhere(tx, app, enrolmentId, { until: NO_END, reason: MAY_ASK, replyId });

/**
 * Selects held_until, hold_reason, held_by and before_hold of the longest hold for a reply that contact `k` has, for a lateral join; no row
 * if there is none. Holds for other reasons concern one enrolment. Index: enrolments_contact.
 */
export const longestHoldOf = (now: Date): Sql => sql`
  select h.held_until, h.hold_reason, h.held_by,
    case when h.before_hold->>'held_by' is null then ${NO_HOLD}::jsonb else h.before_hold end as before_hold
  from enrolments h where h.contact_id = k.id and h.held_by is not null and h.held_until > ${now}
  order by h.held_until desc, h.id desc limit 1`;

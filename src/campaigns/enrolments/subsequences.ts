import type { Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import type { Cause } from '../../core/cause-text.ts';
import { empty, prepared, type Sql, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { enrolmentIs } from '../states/enrolment.ts';
import type { Precedence } from './precedence.ts';
import { endEnrolments } from './transitions.ts';

/** The reply that is the cause, with its label if the label is the cause. */
interface OfReply {
  replyId: number;
  label?: string;
}

/**
 * Records, in the transaction of a cause, that the contacts of these enrolments are to be enrolled into the campaigns of the matching
 * subsequences; `enrolPending` enrols them when the wait is over. Leaves out contacts who are or were in the other campaign, so that
 * campaigns which name each other don't loop. Indexes: enrolments_pkey, enrolments_campaign_id_contact_id_key, pending_enrolments_source.
 */
export async function noteCause(
  tx: Tx,
  enrolmentIds: readonly number[],
  on: Exclude<Cause, 'label'>,
  at: Date,
  reply?: OfReply,
): Promise<void> {
  await note(tx, enrolmentIds, on, at, reply);
}

/**
 * Records the new label of a reply as a cause, as `noteCause` does, and undoes the effect of an earlier label unless an email was sent
 * because of it. Index: enrolments_contact.
 */
export async function noteLabel(
  tx: Tx,
  app: App,
  caller: Caller,
  { enrolmentId, replyId, label }: { enrolmentId: number; replyId: number; label: string | null },
): Promise<void> {
  await tx.query(sql`delete from pending_enrolments p where p.reply_id = ${replyId} and p.label is not null`);
  const unsent = await tx.query<{ id: number }>(sql`
    select e.id from ${ofSameContact(enrolmentId)} where e.source_reply_id = ${replyId} and lower(e.source_label) <> lower(${label ?? ''})
      and ${enrolmentIs('e', 'active')} and e.last_sent_step = 0`);
  await endEnrolments(tx, app, caller, idsOf(unsent), { status: 'stopped', reason: 'the label of the reply was changed' });
  if (label !== null) await note(tx, [enrolmentId], 'label', app.clock.now(), { replyId, label });
}

async function note(tx: Tx, enrolmentIds: readonly number[], on: Cause, at: Date, reply?: OfReply): Promise<void> {
  if (enrolmentIds.length === 0) return;
  const label = reply?.label ?? null;
  await tx.query(
    prepared(
      'note-cause',
      sql`
    insert into pending_enrolments (campaign_id, contact_id, cause, label, source_id, reply_id, due_at, created_at)
    select s.campaign_id, e.contact_id, ${on}::text, ${label}::text, e.id, ${reply?.replyId ?? null}::int,
      ${at}::timestamptz + make_interval(days => s.wait_days), ${at}::timestamptz
    from enrolments e join campaigns c on c.id = e.campaign_id and c.subsequences <> '[]'
    cross join lateral jsonb_to_recordset(c.subsequences) s ("on" text, label text, wait_days int, campaign_id int)
    where e.id = any((select ${enrolmentIds}::int[])::int[]) and s.on = ${on}${label === null ? empty : sql` and lower(s.label) = lower(${label})`}
      and not exists (select from enrolments there where there.campaign_id = s.campaign_id and there.contact_id = e.contact_id)
      and not exists (select from pending_enrolments p
        where p.source_id = e.id and p.campaign_id = s.campaign_id and p.cause = ${on} and p.reply_id is not distinct from ${reply?.replyId ?? null}::int)
    order by s.campaign_id, e.contact_id`,
    ),
  );
}

/**
 * Undoes the subsequences that a reply started, because no person wrote it: contacts are not enrolled, or are stopped in the new campaign.
 * `undoReply` resumes them if the message turns out to be a reply after all. Indexes: pending_enrolments_reply, enrolments_contact.
 */
export async function undoSubsequences(
  tx: Tx,
  app: App,
  caller: Caller,
  { replyId, enrolmentId }: { replyId: number; enrolmentId: number },
  precedence: Precedence,
): Promise<void> {
  await tx.query(sql`delete from pending_enrolments p where p.reply_id = ${replyId}`);
  const entered = await tx.query<{ id: number }>(sql`
    select e.id from ${ofSameContact(enrolmentId)} where e.source_reply_id = ${replyId} and ${enrolmentIs('e', 'active')}`);
  await endEnrolments(tx, app, caller, idsOf(entered), { status: 'stopped', reason: 'the reply was reclassified', precedence });
}

/** Stops the subsequences that an enrolment has led to, because its contact has replied, and records the reply as a cause of others. */
export async function followReply(
  tx: Tx,
  app: App,
  caller: Caller,
  enrolmentId: number,
  message: Omit<Precedence, 'strength'>,
): Promise<void> {
  await stopSubsequences(tx, app, caller, enrolmentId, message);
  const { replyId } = message;
  if (replyId !== null) await noteCause(tx, [enrolmentId], 'replied', app.clock.now(), { replyId });
}

/**
 * Stops the enrolments that followed from an enrolment whose contact has replied: a contact who answers the first campaign must not get
 * further emails of the next. Enrolments that this reply itself has caused stay when its effect is redone. Index: enrolments_contact.
 */
async function stopSubsequences(
  tx: Tx,
  app: App,
  caller: Caller,
  enrolmentId: number,
  message: Omit<Precedence, 'strength'>,
): Promise<void> {
  const following = await tx.query<{ id: number }>(sql`
    with recursive followers as (
      select e.id, e.contact_id from ${ofSameContact(enrolmentId)}
      where e.source_id = ${enrolmentId} and e.source_reply_id is distinct from ${message.replyId}::int
      union
      select e.id, e.contact_id from followers f join enrolments e on e.contact_id = f.contact_id and e.source_id = f.id
    )
    select e.id from followers f join enrolments e on e.id = f.id where ${enrolmentIs('e', 'active')}`);
  const precedence = { ...message, strength: 'stop' } as const;
  await endEnrolments(tx, app, caller, idsOf(following), { status: 'stopped', reason: 'replied to an earlier campaign', precedence });
}

/** From clause: the enrolments `e` of the contact of an enrolment. A subsequence has the same contact as its cause. */
const ofSameContact = (enrolmentId: number): Sql =>
  sql`enrolments o join enrolments e on o.id = ${enrolmentId} and e.contact_id = o.contact_id`;

const idsOf = (rows: readonly { id: number }[]): number[] => rows.map(({ id }) => id);

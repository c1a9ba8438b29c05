import { auditAll, type Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { sequenceOf } from '../campaign/sequence.ts';
import type { Pending } from './pending.ts';
import { endEnrolments } from './transitions.ts';

/**
 * Ends the source enrolments of contacts who have just entered another campaign by a subsequence, so that no contact is in two sequences at
 * a time. The new enrolment names its source. Other pending enrolments from that source are dropped: the subsequence that fires first wins.
 * Rows that another transaction has taken are left to it; it sees the new enrolment. Indexes: enrolments_campaign_id_contact_id_key,
 * pending_enrolments_source.
 * @param campaignId the campaign that they entered, or another one of its rotation group
 */
export async function endSourceEnrolments(
  tx: Tx,
  app: App,
  caller: Caller,
  campaignId: number,
  moved: readonly (Pending & { source_id: number })[],
): Promise<void> {
  if (moved.length === 0) return;
  const entered = await tx.query<{ source_id: number }>(sql`
    update enrolments e set source_id = m.source_id, source_reply_id = m.reply_id, source_label = m.label
    from unnest(${moved.map(({ contact_id }) => contact_id)}::int[], ${moved.map(({ source_id }) => source_id)}::int[],
      ${moved.map(({ reply_id }) => reply_id)}::int[], ${moved.map(({ label }) => label)}::text[]) m (contact_id, source_id, reply_id, label)
    where e.contact_id = m.contact_id and e.campaign_id = any(${await sequenceOf(tx, campaignId)}::int[]) and e.source_id is null
    returning e.source_id`);
  const sources = entered.map(({ source_id }) => source_id);
  const dropped = await tx.query<{ contact_id: number; campaign_id: number }>(sql`
    delete from pending_enrolments p
    where p.id in (select w.id from pending_enrolments w where w.source_id = any(${sources}::int[]) for update skip locked)
    returning p.contact_id, p.campaign_id`);
  await auditAll(
    tx,
    caller,
    app.clock.now(),
    dropped.map(({ contact_id, campaign_id }) => ({
      action: 'contact.not_enrolled',
      resourceType: 'contact',
      resourceId: contact_id,
      changes: { campaign_id, reason: 'in_other_subsequence' },
    })),
  );
  await endEnrolments(tx, app, caller, sources, { status: 'stopped', reason: `moved to campaign ${campaignId}` });
}

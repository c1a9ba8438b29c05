import type { Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { sequenceOf } from '../campaign/sequence.ts';
import type { Pending } from './pending.ts';
import { endEnrolments } from './transitions.ts';

/**
 * Ends the enrolments that contacts come from, who have just entered another campaign by a subsequence, so that nobody is in two
 * sequences at a time; the new enrolment names the one that it comes from. Index: enrolments_campaign_id_contact_id_key.
 * @param campaignId the campaign that they entered, or one of its rotation group
 */
export async function move(
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
  await endEnrolments(tx, app, caller, sources, { status: 'stopped', reason: `moved to campaign ${campaignId}` });
}

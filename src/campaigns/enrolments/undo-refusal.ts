import type { Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { holdsInItsWorkspace, removeBounceSuppressions } from '../../contacts/index.ts';
import { empty, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { retractRefusal } from '../../events/index.ts';
import { enrolmentIs } from '../states/enrolment.ts';
import { reviveEnrolment } from './stop-and-resume.ts';

/** An email whose refusal said nothing about its recipient. */
export interface WronglyRefused {
  id: number;
  enrolment_id: number;
  recipient: string;
  /** The server's reply, which is the stop reason of the enrolment. */
  response: string | null;
}

/**
 * Undoes the effect of a refusal on the contact: its events, the suppression, the enrolments that this ended, and the count of failures.
 * Indexes: outbox_pkey, contacts_email, enrolments_contact.
 * @param since the time of the refusal, or an earlier one
 */
export async function undoRefusal(tx: Tx, app: App, caller: Caller, email: WronglyRefused, since: Date): Promise<void> {
  const failures = await retractRefusal(tx, email.enrolment_id, email.id, since);
  await removeBounceSuppressions(tx, app, caller, email.recipient, since);
  const scope = holdsInItsWorkspace(app, { email: email.recipient }) ? sql`and e.workspace_id = ${caller.workspaceId}` : empty;
  const ended = await tx.query<{ id: number; workspace_id: number }>(sql`
    select e.id, e.workspace_id from enrolments e join contacts k on k.id = e.contact_id
    where mailbox_key(k.email) = mailbox_key(${email.recipient}) and e.updated_at >= ${since} ${scope}
      and (${enrolmentIs('e', 'bounced')} or (e.id = ${email.enrolment_id} and ${enrolmentIs('e', 'stopped')} and e.stop_reason = ${email.response}))
    order by e.id`);
  for (const { id, workspace_id: workspaceId } of ended) await reviveEnrolment(tx, app, { ...caller, workspaceId }, id);
  await tx.query(sql`
    update enrolments e set failures = greatest(e.failures - ${failures}, 0), hold_reason = case when ${failures} = 0 then e.hold_reason end,
      due_at = case when e.due_at is not null then ${app.clock.now()}::timestamptz end
    where e.id = ${email.enrolment_id} and ${enrolmentIs('e', 'active')}`);
}

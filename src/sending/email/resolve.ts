import { audit, type Caller } from '../../access/index.ts';
import { wakeAccount } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { endDeliveryHold, makeDue } from '../../campaigns/index.ts';
import { conflict, notFound } from '../../core/errors.ts';
import { isEmailOf, isUnresolvedState, lockEmail, resend, resendAnswer } from '../../outbox/index.ts';
import { confirmEmail } from './confirm-email.ts';

/**
 * Resolves an unknown email of the caller's workspace, or of any workspace for the operator: `sent` completes its step, `resend` makes it
 * due again under the same Message-ID. Throws `not_found`, and `conflict` if the outcome of the email is known, or for `resend` if the
 * sequence has continued without it.
 */
export async function resolveOutbox(app: App, caller: Caller, id: number, decision: 'sent' | 'resend'): Promise<void> {
  const now = app.clock.now();
  await app.db.tx(async (tx) => {
    const email = await lockEmail(tx, id);
    if (email === undefined || !isEmailOf(caller, email)) throw notFound('email');
    if (!isUnresolvedState(email.state) || email.transmitting_at === null)
      throw conflict(`email ${id} is ${email.state}; only an email whose delivery is unknown can be resolved`);
    if (decision === 'resend' && email.is_continued)
      throw conflict(`the sequence of email ${id} has gone on without it; it can only be resolved as sent`);
    if (decision === 'sent')
      await confirmEmail(tx, app, { ...email, transmitting_at: email.transmitting_at }, 'resolved as sent by a person');
    else if (email.reply_id !== null) await resendAnswer(tx, id, now);
    else {
      await endDeliveryHold(tx, email.enrolment_id);
      await resend(tx, id);
      await makeDue(tx, [email.enrolment_id], now);
      await wakeAccount(tx, email.account_id, now);
    }
    await audit(tx, { ...caller, workspaceId: email.workspace_id }, now, {
      action: `outbox.${decision}`,
      resourceType: 'outbox',
      resourceId: id,
    });
  });
}

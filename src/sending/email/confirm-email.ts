import type { App } from '../../app.ts';
import { endDeliveryHold } from '../../campaigns/index.ts';
import type { Tx } from '../../db/transaction.ts';
import { recordProof, scheduleCopy } from '../../outbox/index.ts';
import { recordAnswered } from '../../replies/index.ts';
import { completeSteps, type SentEmail } from './complete-steps.ts';

/**
 * Marks an email as accepted as if the server's reply had been recorded, and completes its step or, for an answer, marks the reply as
 * answered.
 */
export async function confirmEmail(
  tx: Tx,
  app: App,
  email: SentEmail & { transmitting_at: Date; reply_id: number | null },
  evidence: string,
): Promise<void> {
  const at = email.transmitting_at;
  if (!(await recordProof(tx, email.id, { at, evidence }, app.clock.now()))) return;
  if (email.reply_id !== null) {
    await recordAnswered(tx, email.reply_id, at);
    await scheduleCopy(tx, email.id, app.clock.now());
    return;
  }
  await endDeliveryHold(tx, email.enrolment_id);
  await completeSteps(tx, app, [{ email, at }]);
  const fields = { outbox: email.id, campaign: email.campaign_id, account: email.account_id, evidence };
  tx.afterCommit(async () => app.log.info(fields, 'email turned out to be sent'));
}

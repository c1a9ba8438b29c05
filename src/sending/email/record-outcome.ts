import type { App } from '../../app.ts';
import { domainOf } from '../../core/email-address.ts';
import { sendFailuresTotal } from '../../core/metrics.ts';
import { replyCode } from '../../mail/replies/reply-code.ts';
import type { Outcome } from '../../mail/smtp-session.ts';
import { recordAccepted, recordUncertain } from '../../outbox/index.ts';
import type { ClaimedEmail } from './claim.ts';
import { completeSteps } from './complete-steps.ts';
import { confirmEmail } from './confirm-email.ts';

/** An email accepted by its server, with the server's reply. */
export interface Acceptance {
  email: ClaimedEmail;
  subject: string;
  at: Date;
  outcome: Extract<Outcome, { kind: 'accepted' }>;
}

/**
 * Records accepted emails in one transaction: outbox, enrolments and events. If another daemon has meanwhile given up an email because this
 * one was silent, the server's late reply proves that it was sent. Refused emails go to `handleRefusal` in `batch/refusal.ts`.
 */
export async function recordAcceptedEmails(app: App, acceptances: readonly Acceptance[]): Promise<void> {
  if (acceptances.length === 0) return;
  await app.db.tx(async (tx) => {
    const rows = acceptances.map(({ email, subject, at, outcome }) => ({
      id: email.id,
      attempt: email.attempt,
      subject,
      at,
      response: outcome.response.slice(0, 2_000),
      provider: outcome.serverMessageId,
    }));
    const ours = await recordAccepted(tx, rows);
    const recorded = acceptances.filter(({ email }) => ours.has(email.id));
    await completeSteps(tx, app, recorded);
    for (const { email, at, outcome } of acceptances.filter((each) => !recorded.includes(each)))
      await confirmEmail(tx, app, { ...email, reply_id: null, transmitting_at: at }, `accepted late: ${outcome.response.slice(0, 1_900)}`);
    tx.afterCommit(async () => {
      for (const { email, outcome } of recorded) app.log.info(logFields(email, outcome.response), 'email sent');
    });
  });
}

/** Returns the fields of a log line about an email and its server's reply. They contain no address. */
export function logFields(email: ClaimedEmail, reply: string): Record<string, unknown> {
  const fields = { outbox: email.id, campaign: email.campaign_id, account: email.account_id, domain: domainOf(email.recipient) };
  return { ...fields, code: replyCode(reply) };
}

/** Marks an email that the server may or may not have; recovery looks in the Sent folder. */
export async function recordUncertainEmail(app: App, email: ClaimedEmail, subject: string, text: string): Promise<void> {
  await recordUncertain(app.db, email, subject, text);
  sendFailuresTotal.inc({ class: 'uncertain' });
  app.log.warn({ outbox: email.id, reason: text }, 'delivery uncertain');
}

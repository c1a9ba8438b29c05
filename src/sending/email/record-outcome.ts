import { forgetFailures } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { advanceEnrolments, completeCampaigns } from '../../campaigns/index.ts';
import { domainOf } from '../../core/email-address.ts';
import { sendFailuresTotal } from '../../core/metrics.ts';
import type { Tx } from '../../db/transaction.ts';
import { recordEvents } from '../../events/index.ts';
import { replyCode } from '../../mail/replies/reply-code.ts';
import type { Outcome } from '../../mail/smtp-session.ts';
import { recordAccepted, recordUncertain } from '../../outbox/index.ts';
import type { ClaimedEmail } from './claim.ts';

/** An email that its server accepted, with the server's reply. */
export interface Acceptance {
  email: ClaimedEmail;
  subject: string;
  at: Date;
  outcome: Extract<Outcome, { kind: 'accepted' }>;
}

/**
 * Records accepted emails in one transaction: outbox, enrolments, events and counters. Skips a row that this process has
 * lost because its lease expired and another daemon recovered it. Refused emails go to `handleRefusal` in `batch/refusal.ts`.
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
    tx.afterCommit(async () => {
      for (const { email, outcome } of recorded) app.log.info(logFields(email, outcome.response), 'email sent');
    });
  });
}

/** Completes the steps of accepted emails: everything but their outbox rows. Locks enrolments before statistics, as all code does. */
export async function completeSteps(tx: Tx, app: App, sent: readonly { email: SentEmail; at: Date }[]): Promise<void> {
  if (sent.length === 0) return;
  const steps = sent.map(({ email, at }) => ({
    enrolmentId: email.enrolment_id,
    stepOrder: email.step_order,
    at,
    sentFrom: email.account_id,
  }));
  const events = sent.map(({ email, at }) => ({
    workspaceId: email.workspace_id,
    campaignId: email.campaign_id,
    contactId: email.contact_id,
    enrolmentId: email.enrolment_id,
    type: 'sent' as const,
    stepOrder: email.step_order,
    emailId: email.id,
    at,
  }));
  const accountIds = sent.map(({ email }) => email.account_id);
  const touched = await advanceEnrolments(tx, app, steps, () => [forgetFailures(tx, accountIds), recordEvents(tx, events)]);
  await completeCampaigns(tx, app, touched);
}

/** The fields of a log line about an email and its server's reply. They name no address. */
export function logFields(email: ClaimedEmail, reply: string): Record<string, unknown> {
  const fields = { outbox: email.id, campaign: email.campaign_id, account: email.account_id, domain: domainOf(email.recipient) };
  return { ...fields, code: replyCode(reply) };
}

/** The columns of an email that `completeSteps` needs. */
export type SentEmail = Pick<
  ClaimedEmail,
  'id' | 'workspace_id' | 'campaign_id' | 'contact_id' | 'enrolment_id' | 'account_id' | 'step_order'
>;

/** Marks an email that the server may or may not have; recovery looks in the Sent folder. */
export async function recordUncertainEmail(app: App, email: ClaimedEmail, subject: string, text: string): Promise<void> {
  await recordUncertain(app.db, email, subject, text);
  sendFailuresTotal.inc({ class: 'uncertain' });
  app.log.warn({ outbox: email.id, reason: text }, 'delivery uncertain');
}

import { forgetFailures } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { advanceEnrolments, completeCampaigns } from '../../campaigns/index.ts';
import type { Tx } from '../../db/transaction.ts';
import { recordEvents } from '../../events/index.ts';
import type { ClaimedEmail } from './claim.ts';

/** The columns of an email that `completeSteps` uses. */
export type SentEmail = Pick<
  ClaimedEmail,
  'id' | 'workspace_id' | 'campaign_id' | 'contact_id' | 'enrolment_id' | 'account_id' | 'step_order'
>;

/** Completes the steps of accepted emails, except for their outbox rows. Locks enrolments before statistics, as all code does. */
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

import { daemon } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { endEnrolments, holdForContent } from '../../campaigns/index.ts';
import { recordEvents, wasLogged } from '../../events/index.ts';
import { recordRetry } from '../../outbox/index.ts';
import { type ClaimedEmail, releaseClaims } from '../email/claim.ts';
import type { Problem } from './prepare-emails.ts';
import { eventOf, failAttempt } from './refusal.ts';

/** Returns claimed emails to the queue: due again after `delay` milliseconds, without counting the attempt. */
export async function releaseEmails(app: App, emails: readonly ClaimedEmail[], delay = 0): Promise<void> {
  const ids = emails.map(({ id }) => id);
  await app.db.tx((tx) => releaseClaims(tx, ids, new Date(app.clock.now().getTime() + delay)));
}

/**
 * Holds an email that can't be prepared, with the reason for users. If its content is at fault, it is held until the content changes, and
 * each fault is recorded as an event once. Otherwise it is retried in a day, and the third failure ends its enrolment.
 */
export async function holdUnprepared(app: App, email: ClaimedEmail, { reason, contentVersion }: Problem): Promise<void> {
  const now = app.clock.now();
  await app.db.tx(async (tx) => {
    if (contentVersion === null) return failAttempt(tx, app, email, reason, now);
    if (!(await wasLogged(tx, email.id, 'failed', reason)))
      await recordEvents(tx, [{ ...eventOf(email, now), type: 'failed', details: { reason } }]);
    await recordRetry(tx, email.id, reason, false);
    await holdForContent(tx, email.enrolment_id, reason, contentVersion);
  });
}

/** Stops the enrolment of an address that was suppressed after its email was claimed. */
export async function stopSuppressed(app: App, email: ClaimedEmail): Promise<void> {
  await app.db.tx(async (tx) => {
    await releaseClaims(tx, [email.id], app.clock.now());
    await endEnrolments(tx, app, daemon(email.workspace_id), [email.enrolment_id], { status: 'stopped', reason: 'suppressed' });
  });
}

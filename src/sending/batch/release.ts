import { daemon } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { endEnrolments } from '../../campaigns/index.ts';
import { type ClaimedEmail, releaseClaims } from '../email/claim.ts';
import { failTry } from './refusal.ts';

/** Returns claimed emails to the queue: due again after `delay` milliseconds, without counting the attempt. */
export async function releaseEmails(app: App, emails: readonly ClaimedEmail[], delay = 0): Promise<void> {
  const ids = emails.map(({ id }) => id);
  await app.db.tx((tx) => releaseClaims(tx, ids, new Date(app.clock.now().getTime() + delay)));
}

/** Holds an email that can't be prepared for a day, with the reason for a person; the third time ends its enrolment. */
export async function holdUnprepared(app: App, email: ClaimedEmail, reason: string): Promise<void> {
  await app.db.tx((tx) => failTry(tx, app, email, reason, app.clock.now()));
}

/** Stops the enrolment of an address that was suppressed after its email was claimed. */
export async function stopSuppressed(app: App, email: ClaimedEmail): Promise<void> {
  await app.db.tx(async (tx) => {
    await releaseClaims(tx, [email.id], app.clock.now());
    await endEnrolments(tx, app, daemon(email.workspace_id), [email.enrolment_id], { status: 'stopped', reason: 'suppressed' });
  });
}

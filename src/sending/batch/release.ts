import { daemon } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { endEnrolments } from '../../campaigns/index.ts';
import { type ClaimedMail, releaseClaims } from '../outbox/claim.ts';
import { failTry } from './refusal.ts';

/** Gives claimed mails back: due again after `wait` milliseconds, as if they had not been tried. */
export async function giveBack(app: App, mails: readonly ClaimedMail[], wait = 0): Promise<void> {
  const ids = mails.map(({ id }) => id);
  await app.db.tx((tx) => releaseClaims(tx, ids, new Date(app.clock.now().getTime() + wait)));
}

/** Holds a mail that can't be written, with the reason for a person. */
export async function holdMail(app: App, mail: ClaimedMail, reason: string): Promise<void> {
  await app.db.tx((tx) => failTry(tx, app, mail, reason, app.clock.now()));
}

/** Ends the enrolment of an address that was suppressed after its mail was claimed. */
export async function stopSuppressed(app: App, mail: ClaimedMail): Promise<void> {
  await app.db.tx(async (tx) => {
    await releaseClaims(tx, [mail.id], app.clock.now());
    await endEnrolments(tx, app, daemon(mail.workspace_id), [mail.enrolment_id], { status: 'stopped', reason: 'suppressed' });
  });
}

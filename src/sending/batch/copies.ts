import type { App } from '../../app.ts';
import { domainOf, withAsciiDomain } from '../../core/email-address.ts';
import { recordCopies } from '../../outbox/index.ts';
import type { BatchConnection } from './connection.ts';
import { isSuppressedCopy } from './email-source.ts';
import type { PreparedEmail } from './prepare-emails.ts';

/**
 * Sends the copies of an accepted email, each in its own SMTP transaction: their outcome does not affect the contact. Copies are recorded
 * before they are sent, so each is attempted once and never sent twice. Suppressed addresses get none. Never rejects; failures are logged.
 * @param pause waits between a copy and the message before it, because providers count each copy towards their limit per minute
 */
export async function sendCopies(
  app: App,
  connection: BatchConnection,
  { claim, copies }: PreparedEmail,
  pause: () => Promise<unknown>,
): Promise<void> {
  if (copies === null) return;
  const about = { outbox: claim.id, campaign: claim.campaign_id, account: claim.account_id };
  try {
    for (const address of await recordCopies(app.db, claim.id, copies.addresses, isSuppressedCopy(app))) {
      await pause();
      const message = await copies.write(address);
      const failure = await connection.open();
      const outcome = failure ?? (await connection.send({ recipient: withAsciiDomain(address), message }, async () => true));
      if (outcome.kind !== 'accepted') app.log.warn({ ...about, domain: domainOf(address), answer: outcome.text }, 'copy not sent');
    }
  } catch (error) {
    app.log.warn({ err: error, ...about }, 'copies not sent');
  }
}

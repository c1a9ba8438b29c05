import type { App } from '../../app.ts';
import { domainOf, withAsciiDomain } from '../../core/email-address.ts';
import { recordCopies } from '../../outbox/index.ts';
import type { BatchConnection } from './connection.ts';
import { isSuppressedCopy } from './email-source.ts';
import type { PreparedEmail } from './prepare-emails.ts';

/**
 * Sends the copies of an email that its server has accepted, each in a transaction of its own: their outcome changes nothing
 * for the contact. Recorded before they are sent, each is tried once and never sent twice; suppressed addresses get none. Never rejects:
 * what fails is logged.
 * @param pause keeps a copy apart from what was sent before: providers count each of them in their limit per minute
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

import { type Caller, recipient } from '../access/index.ts';
import type { App } from '../app.ts';
import { endEnrolments, suppressInTx } from '../campaigns/index.ts';
import { isOneMailbox } from '../core/email-address.ts';
import { type Queryable, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { isLogged, recordEvents } from '../events/index.ts';
import { type Email, findEmail, isUnresolvedState } from '../outbox/index.ts';
import { confirmEmail } from '../sending/index.ts';

/**
 * Finds the sender of a link's email, and the address that the link unsubscribes. The address is masked, because people who were forwarded
 * the email or found the link must not learn it. Indexes: outbox_pkey, accounts_pkey.
 */
export async function maskedEmail(db: Queryable, outboxId: number): Promise<{ address: string; sender: string } | undefined> {
  const [email] = await db.query<{ recipient: string; name: string; email: string }>(sql`
    select o.recipient, a.from_name as name, a.email from outbox o join accounts a on a.id = o.account_id where o.id = ${outboxId}`);
  if (email === undefined) return undefined;
  const { recipient: address, name, email: from } = email;
  return { address: address.replace(/^(.).*(@.).*(\.[^.]*)$/, '$1…$2…$3'), sender: name === '' ? from : `${name} (${from})` };
}

/**
 * Unsubscribes the recipient of an email in one transaction: ends the enrolment of the email, suppresses the address that was
 * emailed and the contact's current one, and records the event once. Repeating it changes nothing.
 * @returns false if there is no such email
 */
export async function unsubscribe(app: App, outboxId: number, ip: string | null): Promise<boolean> {
  return app.db.tx(async (tx) => {
    const email = await findEmail(tx, outboxId);
    if (email === undefined) return false;
    await confirmDelivery(tx, app, email);
    const caller = recipient(email.workspace_id, ip);
    const progress = await findProgress(tx, email.enrolment_id);
    await endEnrolments(tx, app, caller, [email.enrolment_id], { status: 'stopped', reason: 'unsubscribed' });
    await suppressBoth(tx, app, caller, email.recipient, progress?.present_address);
    if (progress !== undefined && !progress.is_logged) await logUnsubscribe(tx, app, email, progress.last_step);
    return true;
  });
}

/** Confirms an unresolved email as delivered, because its link was used. */
async function confirmDelivery(tx: Tx, app: App, email: Email): Promise<void> {
  if (!isUnresolvedState(email.state) || email.transmitting_at === null) return;
  await confirmEmail(tx, app, { ...email, transmitting_at: email.transmitting_at }, 'its unsubscribe link was used');
}

interface Progress {
  /** The contact's current address; the email may have gone to a former one. */
  present_address: string;
  /** The last step sent; 1 before the first. */
  last_step: number;
  is_logged: boolean;
}

/**
 * Locks the enrolment, so that two requests for one link record only one event. The lock is a separate statement, so that the next one sees
 * events recorded before the lock was granted. Indexes: enrolments_pkey, events_enrolment.
 */
async function findProgress(tx: Tx, enrolmentId: number): Promise<Progress | undefined> {
  await tx.query(sql`select 1 from enrolments e where e.id = ${enrolmentId} for no key update`);
  const [progress] = await tx.query<Progress>(sql`
    select k.email as present_address, greatest(e.last_sent_step, 1) as last_step, ${isLogged('e.id', 'unsubscribed')} as is_logged
    from enrolments e join contacts k on k.id = e.contact_id where e.id = ${enrolmentId}`);
  return progress;
}

async function suppressBoth(tx: Tx, app: App, caller: Caller, emailed: string, present: string | undefined): Promise<void> {
  const isSame = present === undefined || isOneMailbox(present, emailed);
  for (const email of isSame ? [emailed] : [emailed, present])
    await suppressInTx(tx, app, caller, { email, reason: 'unsubscribed', endAs: 'stopped' });
}

const logUnsubscribe = (tx: Tx, app: App, email: Email, stepOrder: number) =>
  recordEvents(tx, [
    {
      workspaceId: email.workspace_id,
      campaignId: email.campaign_id,
      contactId: email.contact_id,
      enrolmentId: email.enrolment_id,
      type: 'unsubscribed',
      stepOrder,
      at: app.clock.now(),
    },
  ]);

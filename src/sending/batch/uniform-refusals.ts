import { daemon } from '../../access/index.ts';
import { forgetRefusedInRow, noteRefusedInRow, type RefusedInRow, uncountBounce } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { enrolmentIs, undoRefusal, type WronglyRefused } from '../../campaigns/index.ts';
import { DAY } from '../../core/clock.ts';
import { empty, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { wordsOf } from '../../mail/replies/known-names.ts';
import type { Reply } from '../../mail/replies/reply.ts';
import type { ClaimedEmail } from '../email/claim.ts';
import type { SendingAccount } from '../state/account-state.ts';
import { pauseByCause } from './pause-account.ts';

/** Number of recipients refused in a row with the same words, with none accepted, before we blame the account instead of them. */
const REFUSALS_IN_A_ROW = 3;

/**
 * Records a permanent refusal. Returns true if the server refuses the account, whatever it says: it has refused this recipient and the
 * previous ones with the same words, and accepted none. In that case it pauses the account and undoes the effect of the earlier refusals;
 * the caller handles this email.
 */
export async function refusesAccount(tx: Tx, app: App, account: SendingAccount, email: ClaimedEmail, reply: Reply): Promise<boolean> {
  const inRow = await noteRefusedInRow(tx, account.id, comparableWords(reply), email, app.clock.now());
  if (inRow.emails.length < REFUSALS_IN_A_ROW) return false;
  await undoEarlierRefusals(tx, app, account, inRow, email.id);
  await forgetRefusedInRow(tx, account.id);
  const message = `its server refused ${inRow.emails.length} recipients in a row with the same words and accepted none, so it refuses this account, not the recipients: ${reply.text}`;
  await pauseByCause(tx, app, account, 'account', message);
  return true;
}

/**
 * Records a temporary refusal or a lost connection. Returns true if the server accepts no email at all: for a day it has answered this
 * email and the previous ones with the same words, and accepted none in between. That is an outage, which may last for days, so it does not
 * count as an attempt of this email, and the effect of the earlier refusals is undone. In less than a day, a few deferred recipients look
 * the same.
 * @param reply null if the connection was lost
 */
export async function acceptsNothing(
  tx: Tx,
  app: App,
  account: SendingAccount,
  email: ClaimedEmail,
  reply: Reply | null,
): Promise<boolean> {
  const words = reply === null ? 'connection lost' : comparableWords(reply);
  const now = app.clock.now();
  const inRow = await noteRefusedInRow(tx, account.id, words, email, now);
  if (inRow.emails.length < REFUSALS_IN_A_ROW || now.getTime() - new Date(inRow.since).getTime() < DAY) return false;
  // This runs again and again while the outage lasts, so it leaves emails alone that already wait for their next attempt.
  await undoEarlierRefusals(tx, app, account, inRow, email.id, sql`and (o.closed_at is not null or e.failures > 0)`);
  return true;
}

/** Returns the text of a server's reply without names and numbers, which differ from one reply to the next. */
const comparableWords = (reply: Reply): string =>
  wordsOf(reply)
    .replaceAll(/(?<!\S)[^\s\d]*\d\S*/g, '#')
    .slice(0, 500);

/** Undoes the effect of the earlier refusals in a row. @param which a further condition on email `o` and enrolment `e` */
async function undoEarlierRefusals(
  tx: Tx,
  app: App,
  account: SendingAccount,
  { emails, since }: RefusedInRow,
  latest: number,
  which = empty,
): Promise<void> {
  const from = new Date(since);
  const before = await tx.query<WronglyRefused & { workspace_id: number; bounced_at: Date | null }>(sql`
    select o.id, o.enrolment_id, o.recipient, o.workspace_id, o.response,
      case when ${enrolmentIs('e', 'stopped')} then null else o.closed_at end as bounced_at
    from outbox o join enrolments e on e.id = o.enrolment_id
    where o.id = any(${emails}::bigint[]) and o.id <> ${latest} ${which} order by o.id for no key update of o`);
  for (const email of before) {
    if (email.bounced_at !== null) await uncountBounce(tx, account, email.bounced_at);
    await undoRefusal(tx, app, daemon(email.workspace_id), email, from);
  }
}

import { daemon } from '../../access/index.ts';
import { forgetRefusedInRow, noteRefusedInRow, type RefusedInRow, uncountBounce } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { enrolmentIs, putBackRefused, type WronglyRefused } from '../../campaigns/index.ts';
import { DAY } from '../../core/clock.ts';
import { empty, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { wordsOf } from '../../mail/replies/known-names.ts';
import type { Reply } from '../../mail/replies/reply.ts';
import type { ClaimedEmail } from '../email/claim.ts';
import type { SendingAccount } from '../state/account-state.ts';
import { pauseByCause } from './pause-account.ts';

/** So many recipients in a row that are refused in the same words, by a server that accepts none, are not at fault. */
const REFUSALS_IN_A_ROW = 3;

/**
 * Notes a refusal for good, and returns true if the server refuses the account, whatever its words: it has refused this recipient and those before
 * in the same words, and accepted none. Then it has paused the account and taken back what the refusals before did; this email is up to the caller.
 */
export async function refusesEverybody(tx: Tx, app: App, account: SendingAccount, email: ClaimedEmail, reply: Reply): Promise<boolean> {
  const inRow = await noteRefusedInRow(tx, account.id, sameWords(reply), email, app.clock.now());
  if (inRow.emails.length < REFUSALS_IN_A_ROW) return false;
  await putBack(tx, app, account, inRow, email.id);
  await forgetRefusedInRow(tx, account.id);
  const message = `its server refused ${inRow.emails.length} recipients in a row in the same words and accepted none, so it refuses this account and not them: ${reply.text}`;
  await pauseByCause(tx, app, account, 'account', message);
  return true;
}

/**
 * Notes a refusal for now, or a lost connection, and returns true if the server takes nobody's email: for a day it took neither this one nor those
 * before, in the same words, and none in between. That is an outage, which may last for days, and no try of this email. What the refusals before did
 * is taken back. In a shorter time, some recipients whom the server defers look the same; these are given up in the end.
 * @param reply null where the connection was lost, whatever was said of it
 */
export async function takesNothing(tx: Tx, app: App, account: SendingAccount, email: ClaimedEmail, reply: Reply | null): Promise<boolean> {
  const words = reply === null ? 'connection lost' : sameWords(reply);
  const now = app.clock.now();
  const inRow = await noteRefusedInRow(tx, account.id, words, email, now);
  if (inRow.emails.length < REFUSALS_IN_A_ROW || now.getTime() - new Date(inRow.since).getTime() < DAY) return false;
  // Again and again, so only those that are not just waiting.
  await putBack(tx, app, account, inRow, email.id, sql`and (o.closed_at is not null or e.failures > 0)`);
  return true;
}

/** Without names, and without numbers, of which each answer has its own. */
const sameWords = (reply: Reply): string =>
  wordsOf(reply)
    .replaceAll(/(?<!\S)[^\s\d]*\d\S*/g, '#')
    .slice(0, 500);

async function putBack(
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
    await putBackRefused(tx, app, daemon(email.workspace_id), email, from);
  }
}

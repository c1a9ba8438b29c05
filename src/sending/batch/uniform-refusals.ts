import { daemon } from '../../access/index.ts';
import { forgetRefusedInRow, noteRefusedInRow, type RefusedInRow, uncountBounce } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { pauseForProvider, putBackRefused, type WronglyRefused } from '../../campaigns/index.ts';
import { sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { wordsOf } from '../../mail/replies/known-names.ts';
import type { Reply } from '../../mail/replies/reply.ts';
import type { ClaimedEmail } from '../email/claim.ts';
import type { SendingAccount } from '../state/account-state.ts';

/** So many recipients in a row that are refused in the same words, by a server that accepts none, are not at fault. */
const REFUSALS_IN_A_ROW = 3;

/**
 * Notes a refusal, and returns true if the server refuses the account, whatever its words: it has refused this recipient and those before in the
 * same words, and accepted none. Then it has paused the account and taken back what the refusals before did; this email is up to the caller.
 * @param hasAccepted true if the server has accepted an email of the same batch
 */
export async function refusesEverybody(
  tx: Tx,
  app: App,
  account: SendingAccount,
  email: ClaimedEmail,
  { reply, hasAccepted }: { reply: Reply; hasAccepted: boolean },
): Promise<boolean> {
  if (hasAccepted) return false;
  const inRow = await noteRefusedInRow(tx, account.id, sameWords(reply), email.id, app.clock.now());
  if (inRow.emails.length < REFUSALS_IN_A_ROW) return false;
  await putBack(tx, app, account, inRow, email.id);
  await forgetRefusedInRow(tx, account.id);
  const message = `its server refused ${inRow.emails.length} recipients in a row in the same words and accepted none, so it refuses this account and not them: ${reply.text}`;
  await pauseForProvider(tx, app, daemon(account.workspaceId), account.id, { reason: 'provider_error', message });
  return true;
}

/** Without names, and without numbers, of which each answer has its own. */
const sameWords = (reply: Reply): string =>
  wordsOf(reply)
    .replaceAll(/(?<!\S)[^\s\d]*\d\S*/g, '#')
    .slice(0, 500);

async function putBack(tx: Tx, app: App, account: SendingAccount, { emails, since }: RefusedInRow, latest: number): Promise<void> {
  const from = new Date(since);
  const before = await tx.query<WronglyRefused & { workspace_id: number; closed_at: Date | null }>(sql`
    select o.id, o.enrolment_id, o.recipient, o.workspace_id, o.closed_at from outbox o
    where o.id = any(${emails}::bigint[]) and o.id <> ${latest} order by o.id for no key update`);
  for (const email of before) {
    if (email.closed_at !== null) await uncountBounce(tx, account, email.closed_at);
    await putBackRefused(tx, app, daemon(email.workspace_id), email, from);
  }
}

import { sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';

/** Consecutive emails to different recipients that an account's server refused in the same words. */
export interface RefusedInRow {
  words: string;
  /** Ids in the outbox, the oldest first. */
  emails: number[];
  /** When the first was refused. */
  since: string;
  /** True if the latest refused email was a follow-up. */
  is_follow_up: boolean;
}

/**
 * Records that the server refused an email, and returns the emails that it has refused in the same words since it last accepted one. Index:
 * accounts_pkey.
 */
export async function noteRefusedInRow(
  tx: Tx,
  accountId: number,
  words: string,
  { id, is_follow_up }: { id: number; is_follow_up: boolean },
  now: Date,
): Promise<RefusedInRow> {
  const alone: RefusedInRow = { words, emails: [id], since: now.toISOString(), is_follow_up };
  const [row] = await tx.query<{ refused_in_row: RefusedInRow }>(sql`
    update accounts set refused_in_row = case
      when refused_in_row ->> 'words' is distinct from ${words} then ${JSON.stringify(alone)}::jsonb
      when refused_in_row -> 'emails' @> ${JSON.stringify(id)}::jsonb then refused_in_row
      else jsonb_set(refused_in_row, '{emails}', refused_in_row -> 'emails' || ${JSON.stringify(id)}::jsonb) end
      || jsonb_build_object('is_follow_up', ${is_follow_up}::boolean)
    where id = ${accountId} returning refused_in_row`);
  return row?.refused_in_row ?? alone;
}

/** Deletes the recorded refusals, so that the next one is the first again. Index: accounts_pkey. */
export async function forgetRefusedInRow(tx: Tx, accountId: number): Promise<void> {
  await tx.query(sql`update accounts set refused_in_row = null where id = ${accountId} and refused_in_row is not null`);
}

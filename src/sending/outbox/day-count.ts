import { localDay } from '../../core/zone.ts';
import { sql, type Tx } from '../../db/database.ts';

/** Takes a mail off the account's day again: the server does not have it. `countedAt` names the day it was counted on. */
export async function uncountMail(tx: Tx, account: { id: number; timezone: string }, countedAt: Date): Promise<void> {
  await tx.query(sql`
    update account_days set accepted = greatest(accepted - 1, 0)
    where account_id = ${account.id} and day = ${localDay(countedAt, account.timezone)}`);
}

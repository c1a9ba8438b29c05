import type { App } from '../app.ts';
import { sql } from '../db/statement.ts';
import type { Found } from './apply.ts';

/**
 * Counts a try at a message before it begins, so that one that takes the whole daemon down is not met again and again. Returns how
 * many there were, this one included. Index: reading_tries_pkey.
 */
export async function countTry(app: App, { accountId, folder, message }: Found): Promise<number> {
  const [row] = await app.db.query<{ tries: number }>(sql`
    insert into reading_tries as t (account_id, folder, uid_validity, uid) values (${accountId}, ${folder.path}, ${folder.uidValidity}, ${message.uid})
    on conflict (account_id, folder, uid_validity, uid) do update set tries = t.tries + 1 returning tries`);
  return row?.tries ?? 1;
}

/** Forgets the tries at a message that did the daemon no harm, and at those before it in its folder. */
export async function forgetTries(app: App, { accountId, folder, message }: Found): Promise<void> {
  await app.db.query(sql`
    delete from reading_tries where account_id = ${accountId} and folder = ${folder.path}
      and (uid_validity <> ${folder.uidValidity} or uid <= ${message.uid})`);
}

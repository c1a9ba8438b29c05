import { raw, type Sql, sql } from '../db/statement.ts';

/**
 * Body of a CTE that records, to the hour, that emails named the mailboxes of accounts for replies. They are read for as long as replies
 * may come, even if the campaign ends. Locks in the order of ids, as all statements do. Index: accounts_pkey.
 * @param allowed a table expression with the emails: `reply_account_id`
 */
export const notePromises = (allowed: string, now: Date): Sql => sql`
  update accounts set promised_at = ${now} where id in (
    select a.id from accounts a where a.id in (select reply_account_id from ${raw(allowed)})
      and (a.promised_at is null or a.promised_at < ${now}::timestamptz - interval '1 hour')
    order by a.id for no key update)`;

/** Condition: the mailbox of account `alias`, by this account or a former one, was named for replies after that instant. Index: accounts_mailbox. */
export const wasPromisedSince = (alias: string, since: Sql): Sql => {
  const r = raw(alias);
  return sql`exists (select from accounts p
    where p.workspace_id = ${r}.workspace_id and address_key(p.email) = address_key(${r}.email) and p.promised_at > ${since})`;
};

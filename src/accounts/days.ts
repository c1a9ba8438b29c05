import { DAY } from '../core/clock.ts';
import { localDay } from '../core/zone.ts';
import { type Queryable, raw, type Sql, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';

/*
 * account_days counts the emails of each account by its local days: `accepted` enforces the daily limit across workers,
 * `bounced` and `refused` make up the bounce rate, and the `forgiven_*` columns are subtracted from that.
 */

/**
 * Body of a CTE that counts one email for each account that is below its daily limit, and returns their `account_id`s. Index:
 * account_days_pkey.
 * @param allowed a table expression with at most one email of each account: `account_id`, `day`, `daily_limit`
 */
export const countEmails = (allowed: string): Sql => sql`
  insert into account_days (account_id, day, accepted)
  select account_id, day, 1 from ${raw(allowed)} where daily_limit > 0
  on conflict (account_id, day) do update set accepted = account_days.accepted + 1
    where account_days.accepted < (select r.daily_limit from ${raw(allowed)} r where r.account_id = account_days.account_id)
  returning account_id`;

/** Subtracts an email that the server did not accept from the account's local day of `countedAt`. */
export async function uncountEmail(tx: Tx, account: { id: number; timezone: string }, countedAt: Date): Promise<void> {
  await tx.query(sql`
    update account_days set accepted = greatest(accepted - 1, 0)
    where account_id = ${account.id} and day = ${localDay(countedAt, account.timezone)}`);
}

/**
 * Moves an account's counts from one local day to another: after a change of its time zone, emails sent today by the old zone count for
 * today by the new zone.
 */
export async function moveDay(tx: Tx, accountId: number, from: string, to: string): Promise<void> {
  await tx.query(sql`
    with moved as (delete from account_days where account_id = ${accountId} and day = ${from} returning *)
    insert into account_days (account_id, day, accepted, bounced, refused, forgiven_mails, forgiven_bounces)
    select account_id, ${to}::date, accepted, bounced, refused, forgiven_mails, forgiven_bounces from moved
    on conflict (account_id, day) do update set accepted = account_days.accepted + excluded.accepted,
      bounced = account_days.bounced + excluded.bounced, refused = account_days.refused + excluded.refused,
      forgiven_mails = account_days.forgiven_mails + excluded.forgiven_mails,
      forgiven_bounces = account_days.forgiven_bounces + excluded.forgiven_bounces`);
}

/**
 * Returns the UTC day that is `days` from now. The local day of an account is today, yesterday or tomorrow in UTC, depending on its time
 * zone.
 */
const utcDay = (now: Date, days: number): string => localDay(new Date(now.getTime() + days * DAY), 'UTC');

/**
 * The accepted emails of the account `alias` on the days that may be its current local day, as a JSON object of day → count; null if there
 * are none.
 */
export const emailsByDay = (alias: string, now: Date): Sql => sql`(
  select jsonb_object_agg(d.day, d.accepted) from account_days d
  where d.account_id = ${raw(alias)}.id and d.day between ${utcDay(now, -1)} and ${utcDay(now, 1)})`;

/** The share of the emails of the account `alias` that bounced in the last seven days, less the forgiven ones; null without emails. */
export const bounceRate = (alias: string, now: Date): Sql => sql`(
  select round(sum(greatest(d.bounced - d.forgiven_bounces, 0))::numeric
    / nullif(sum(greatest(d.accepted + d.refused - d.forgiven_mails, 0)), 0), 4)::float8
  from account_days d where d.account_id = ${raw(alias)}.id and d.day between ${utcDay(now, -6)} and ${utcDay(now, 1)})`;

/**
 * Counts a bounce on a local day.
 * @param isRefused true if the account's server refused the email, so that it is not counted as accepted
 */
export async function addBounce(tx: Tx, accountId: number, day: string, isRefused: boolean): Promise<void> {
  await tx.query(sql`
    insert into account_days (account_id, day, bounced, refused) values (${accountId}, ${day}, 1, ${isRefused ? 1 : 0})
    on conflict (account_id, day) do update set bounced = account_days.bounced + 1, refused = account_days.refused + excluded.refused`);
}

/** Subtracts a bounce of an email that the account's server refused, on the local day on which it was counted. */
export async function uncountBounce(tx: Tx, account: { id: number; timezone: string }, countedAt: Date): Promise<void> {
  await tx.query(sql`
    update account_days set bounced = greatest(bounced - 1, 0), refused = greatest(refused - 1, 0)
    where account_id = ${account.id} and day = ${localDay(countedAt, account.timezone)}`);
}

/** Counts emails and bounces of the last `days` local days up to `today`, less the forgiven ones. Index: account_days_pkey. */
export async function bouncesOf(
  db: Queryable,
  accountId: number,
  today: string,
  days: number,
): Promise<{ emails: number; bounces: number }> {
  const [row] = await db.query<{ emails: number | null; bounces: number | null }>(sql`
    select sum(greatest(accepted + refused - forgiven_mails, 0))::int as emails, sum(greatest(bounced - forgiven_bounces, 0))::int as bounces
    from account_days where account_id = ${accountId} and day > ${today}::date - ${days}::int and day <= ${today}::date`);
  return { emails: row?.emails ?? 0, bounces: row?.bounces ?? 0 };
}

/** Forgives all bounces so far, so that the bounce rate starts from zero. Index: account_days_pkey. */
export async function forgiveBounces(tx: Tx, accountId: number, now: Date): Promise<void> {
  await tx.query(sql`
    update account_days set forgiven_mails = accepted + refused, forgiven_bounces = bounced
    where account_id = ${accountId} and day > ${now}::timestamptz::date - 10`);
}

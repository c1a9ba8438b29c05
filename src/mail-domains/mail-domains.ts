import { DAY, HOUR } from '../core/clock.ts';
import { type Queryable, raw, type Sql, sql } from '../db/statement.ts';
import type { MailProvider } from './provider.ts';
import type { Reception } from './reception.ts';

/** Time for which an answer is valid. Domains seldom move. */
const ANSWER_LIFETIME = 30 * DAY;
/** Time after which a domain without an answer is looked up again. */
const FAILURE_LIFETIME = HOUR;
/** Time for which an unused domain is kept after its answer expired. */
const UNUSED_LIFETIME = 90 * DAY;
/** Most domains that one statement deletes. */
const PRUNE_BATCH_SIZE = 1_000;

/** SQL expression for the provider of a domain; null until it was looked up. Index: mail_domains_pkey. @param domain in lower case */
export const providerOfDomain = (domain: Sql): Sql => sql`(select d.provider from mail_domains d where d.domain = ${domain})`;

/**
 * Requests look-ups of domains that were never looked up, or whose answer has expired. Does not lock rows that stay unchanged.
 * Index: mail_domains_pkey, once for each domain (`offset` keeps the planner from joining with all domains).
 * @param domains in lower case
 * @param isAwaited true if a contact is held until the look-up
 */
export async function wantProviders(
  tx: Queryable,
  domains: Iterable<string>,
  now: Date,
  { isAwaited }: { isAwaited: boolean },
): Promise<void> {
  const wants = (alias: string) => sql`
    ((${raw(alias)}.wanted_at is null and ${raw(alias)}.expires_at <= ${now})
      or (${raw(alias)}.wanted_at is not null and ${isAwaited} and not ${raw(alias)}.is_awaited))`;
  await tx.query(sql`
    insert into mail_domains as d (domain, wanted_at, is_awaited)
    select w.domain, ${now}::timestamptz, ${isAwaited}::boolean
    from unnest(${[...new Set(domains)]}::text[]) w (domain)
    left join lateral (select m.* from mail_domains m where m.domain = w.domain offset 0) k on true
    where k.domain is null or ${wants('k')} order by 1
    on conflict (domain) do update set wanted_at = coalesce(d.wanted_at, excluded.wanted_at), is_awaited = d.is_awaited or excluded.is_awaited
    where ${wants('d')}`);
}

/** Reads the domains that have waited longest for a look-up. Those for which contacts are held come first. Index: mail_domains_wanted. */
export async function wantedDomains(db: Queryable, limit: number): Promise<string[]> {
  const rows = await db.query<{ domain: string }>(
    sql`select domain from mail_domains where wanted_at is not null order by is_awaited desc, wanted_at limit ${limit}`,
  );
  return rows.map(({ domain }) => domain);
}

/** Reads which of the domains wait for a look-up. Index: mail_domains_pkey. */
export const wantedAmong = (db: Queryable, domains: readonly string[]): Promise<{ domain: string; is_awaited: boolean }[]> =>
  db.query(
    sql`select domain, is_awaited from mail_domains where domain = any(${domains}::text[]) and wanted_at is not null order by domain`,
  );

/** Reads where the email of domains goes, if that was looked up. Index: mail_domains_pkey. */
export async function storedReceptions(db: Queryable, domains: readonly string[]): Promise<Map<string, Reception | null>> {
  const rows = await db.query<{ domain: string; reception: Reception | null }>(
    sql`select domain, reception from mail_domains where domain = any(${domains}::text[])`,
  );
  return new Map(rows.map(({ domain, reception }) => [domain, reception]));
}

/** The result of a look-up. Its fields are null if name servers did not answer. */
export interface Answer {
  domain: string;
  provider: MailProvider | null;
  reception: Reception | null;
}

/**
 * Stores the results of look-ups. A domain without an answer keeps its provider, or is `other` for an hour. Index: mail_domains_pkey.
 * @returns true if a contact was held for one of the domains
 */
export async function keepAnswers(db: Queryable, answers: readonly Answer[], now: Date): Promise<boolean> {
  const at = (age: number) => new Date(now.getTime() + age);
  const [kept] = await db.query<{ is_awaited: boolean | null }>(sql`
    with kept as (${keep(answers, at(FAILURE_LIFETIME), at(ANSWER_LIFETIME))})
    select bool_or(a.is_awaited) as is_awaited from mail_domains a where a.domain in (select domain from kept)`);
  return kept?.is_awaited ?? false;
}

/** Returns the update as SQL. The rest of its statement still reads the old rows. It locks the rows in the order of their names first. */
function keep(answers: readonly Answer[], untilFailed: Date, untilKnown: Date): Sql {
  const domains = answers.map(({ domain }) => domain);
  return sql`
    update mail_domains d set wanted_at = null, provider = coalesce(a.provider, d.provider, 'other'),
      reception = coalesce(a.reception, d.reception),
      is_awaited = false,
      expires_at = case when a.provider is null then ${untilFailed}::timestamptz else ${untilKnown}::timestamptz end
    from (
      select v.domain, v.provider, v.reception from (
        select n.domain from mail_domains n where n.domain = any(${domains}::text[])
        order by n.domain for no key update) l
      join unnest(${domains}::text[], ${answers.map(({ provider }) => provider)}::text[], ${answers.map(({ reception }) => reception)}::text[])
      v (domain, provider, reception) on v.domain = l.domain
    ) a where d.domain = a.domain returning d.domain`;
}

/** Deletes domains whose answer expired 90 days ago and was not requested again. Index: mail_domains_expired. */
export async function pruneDomains(db: Queryable, now: Date): Promise<void> {
  await db.query(sql`
    delete from mail_domains where domain in (
      select d.domain from mail_domains d where d.wanted_at is null and d.expires_at < ${new Date(now.getTime() - UNUSED_LIFETIME)}
      order by d.expires_at limit ${PRUNE_BATCH_SIZE})`);
}

import { type Caller, isLiveWorkspace, missing, visible } from '../access/index.ts';
import { type Queryable, raw, type Sql, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { isLiveAccount } from './conditions.ts';
import type { HealthWord } from './words.ts';

/** The result of one check of an account. */
export interface KeptCheck {
  check: string;
  state: HealthWord | 'unknown';
  /** Since when it is in this state: UTC, `YYYY-MM-DD HH:MM:SS`. */
  since: string;
  /** The finding, in one line. */
  detail: string;
  /** The next step; null if nothing is wrong. */
  remedy: string | null;
}

/** The health of an account at its last check. Times are UTC, `YYYY-MM-DD HH:MM:SS`. */
export interface KeptHealth {
  word: HealthWord;
  since: string;
  checked_at: string;
  /** Block lists are queried once a day. */
  lists_asked_at: string;
  checks: KeptCheck[];
}

/** The health of account `alias` as one word; null before the first check. */
export const healthWord = (alias: string): Sql => sql`${raw(alias)}.health->>'word'`;

/** Reads the health of an account that the caller may see; null before the first check. Index: accounts_pkey. Throws `not_found`. */
export async function readHealth(db: Queryable, caller: Caller, id: number): Promise<{ email: string; health: KeptHealth | null }> {
  const [row] = await db.query<{ email: string; health: KeptHealth | null }>(
    sql`select a.email, a.health from accounts a where a.id = ${id} and ${visible(caller, 'accounts', 'a')}`,
  );
  if (row === undefined) throw missing('accounts');
  return row;
}

/** An account that should stop sending, with the checks that say so. */
export interface UnwellAccount {
  email: string;
  problems: KeptCheck[];
}

/** Lists unarchived accounts that the caller may see and whose health is `stop`. Reads the accounts of the workspace. */
export const unwellAccounts = (db: Queryable, caller: Caller, limit: number): Promise<UnwellAccount[]> =>
  db.query<UnwellAccount>(sql`
    select a.email, jsonb_path_query_array(a.health->'checks', '$[*] ? (@.state == "stop")') as problems
    from accounts a where ${visible(caller, 'accounts', 'a')} and not a.is_archived and ${healthWord('a')} = 'stop'
    order by a.id limit ${limit}`);

/** Locks a live account and reads its workspace and its health; undefined if it was deleted meanwhile. */
export async function lockHealth(tx: Tx, id: number): Promise<{ workspace_id: number; health: KeptHealth | null } | undefined> {
  const [row] = await tx.query<{ workspace_id: number; health: KeptHealth | null }>(
    sql`select a.workspace_id, a.health from accounts a where a.id = ${id} and a.deleted_at is null for no key update`,
  );
  return row;
}

export async function saveHealth(tx: Tx, id: number, health: KeptHealth): Promise<void> {
  await tx.query(sql`update accounts set health = ${JSON.stringify(health)}::jsonb where id = ${id}`);
}

/** Lists live accounts of live workspaces that have not been checked since, never checked ones first. Reads all accounts. */
export async function accountsToCheck(db: Queryable, since: string, limit: number): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`
    select a.id from accounts a where ${isLiveAccount('a')} and ${isLiveWorkspace('a.workspace_id')}
      and coalesce(a.health->>'checked_at', '') < ${since}
    order by coalesce(a.health->>'checked_at', ''), a.id limit ${limit}`);
  return rows.map(({ id }) => id);
}

/** Counts the live accounts by health; 0 for a word without any. Accounts that were never checked are not counted. */
export async function countHealth(db: Queryable): Promise<Record<HealthWord, number>> {
  const rows = await db.query<{ word: HealthWord; count: number }>(sql`
    select ${healthWord('a')} as word, count(*)::int as count from accounts a where ${isLiveAccount('a')} and a.health is not null group by 1`);
  return { good: 0, watch: 0, stop: 0, ...Object.fromEntries(rows.map(({ word, count }) => [word, count])) };
}

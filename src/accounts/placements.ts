import { type Caller, isLiveWorkspace, missing, visible } from '../access/index.ts';
import type { App } from '../app.ts';
import { type Queryable, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { isLiveAccount } from './conditions.ts';
import { sealSeeds, unsealSeeds, type WaitingSeed } from './placement-seeds.ts';

/**
 * Where an email of a placement test is: `waiting` until it is found, `missing` if it did not arrive, `refused` if the account's server did
 * not accept it. `promotions` is a tab of Gmail's inbox, `elsewhere` any folder but the inbox and the spam folder.
 */
export const PLACES = ['waiting', 'inbox', 'promotions', 'junk', 'elsewhere', 'missing', 'refused'] as const;
type Place = (typeof PLACES)[number];

/** An email of a placement test, to one mailbox. */
export interface Placement {
  /** The account whose mailbox gets it; null for a seed, which is not an account here. */
  account_id: number | null;
  email: string;
  /** `google`, `microsoft` or `other`; null if it is not known. */
  provider: string | null;
  message_id: string;
  place: Place;
  /** The folder where it is; null unless it was found. */
  folder: string | null;
  /** Results that its receiver added, such as `spf=pass dkim=pass dmarc=pass`; null if there are none. */
  authentication: string | null;
  /** DNS names of the DKIM keys that signed it. */
  dkim_keys: string[];
  /** The message of a server that refused it, or whose mailbox can't be read; otherwise null. */
  problem: string | null;
}

/** A placement test: one step of a campaign, sent to several mailboxes. */
export interface PlacementTest {
  /** UTC, `YYYY-MM-DD HH:MM:SS`. */
  sent_at: string;
  campaign_id: number;
  step_order: number;
  subject: string;
  results: Placement[];
}

/** Reads the placement tests of an account that the caller may see, the newest first. Index: accounts_pkey. Throws `not_found`. */
export async function readPlacements(db: Queryable, caller: Caller, id: number): Promise<{ email: string; tests: PlacementTest[] }> {
  const [row] = await db.query<{ email: string; tests: PlacementTest[] }>(
    sql`select a.email, a.placements as tests from accounts a where a.id = ${id} and ${visible(caller, 'accounts', 'a')}`,
  );
  if (row === undefined) throw missing('accounts');
  return row;
}

/** Reads the seeds of an account whose emails have not been found yet. Index: accounts_pkey. */
export async function readSeeds(app: App, id: number): Promise<WaitingSeed[]> {
  const [row] = await app.db.query<{ placement_secret: string | null }>(
    sql`select placement_secret from accounts where id = ${id} and deleted_at is null`,
  );
  return unsealSeeds(app, id, row?.placement_secret ?? null);
}

/** Adds a test to its account as the newest, and keeps the newest 20. @param seeds the mailboxes of the test that are not accounts */
export const addPlacement = (tx: Tx, app: App, id: number, test: PlacementTest, seeds: readonly WaitingSeed[]): Promise<void> =>
  change(tx, app, id, (tests) => [test, ...tests].slice(0, 20), seeds);

/**
 * Replaces the results of a test that are still waiting. Results that another process has found in the meantime stay.
 * @param sentAt identifies the test
 */
export function savePlacements(tx: Tx, app: App, id: number, sentAt: string, found: readonly Placement[]): Promise<void> {
  const byId = new Map(found.map((result) => [result.message_id, result]));
  const updated = (result: Placement) => (isWaiting(result) ? (byId.get(result.message_id) ?? result) : result);
  return change(tx, app, id, (tests) =>
    tests.map((test) => (test.sent_at === sentAt ? { ...test, results: test.results.map(updated) } : test)),
  );
}

/** Changes the tests of a live account. The access to a seed is kept only until its email is found. */
async function change(
  tx: Tx,
  app: App,
  id: number,
  work: (tests: PlacementTest[]) => PlacementTest[],
  seeds: readonly WaitingSeed[] = [],
): Promise<void> {
  const [row] = await tx.query<{ placements: PlacementTest[]; placement_secret: string | null }>(
    sql`select placements, placement_secret from accounts where id = ${id} and deleted_at is null for no key update`,
  );
  if (row === undefined) return;
  const tests = work(row.placements);
  const waiting = new Set(tests.flatMap(({ results }) => results.filter(isWaiting).map(({ message_id }) => message_id)));
  const kept = [...unsealSeeds(app, id, row.placement_secret), ...seeds].filter(({ message_id }) => waiting.has(message_id));
  await tx.query(sql`
    update accounts set placements = ${JSON.stringify(tests)}::jsonb, placement_secret = ${sealSeeds(app, id, kept)} where id = ${id}`);
}

/** True for an email that has not been found yet. */
export const isWaiting = ({ place }: Placement): boolean => place === 'waiting';

/** Deletes the access to seeds: those of one account, or those with an address. Returns how many accounts had any. */
export async function forgetSeeds(tx: Queryable, of: { accountId: number } | { email: string }): Promise<number> {
  const whose =
    'accountId' in of
      ? sql`a.id = ${of.accountId}`
      : sql`exists (select from jsonb_path_query(a.placements, '$[*].results[*]') r where address_key(r->>'email') = address_key(${of.email}))`;
  const rows = await tx.query(
    sql`update accounts a set placement_secret = null where a.placement_secret is not null and ${whose} returning a.id`,
  );
  return rows.length;
}

/** Lists accounts, including archived ones, with a test email that has not been found yet. Reads all accounts. */
export const accountsWithWaiting = (db: Queryable): Promise<{ id: number; workspace_id: number }[]> =>
  db.query(sql`
    select a.id, a.workspace_id from accounts a
    where a.deleted_at is null and a.placements @> '[{"results": [{"place": "waiting"}]}]' order by a.id`);

/**
 * Lists live accounts of live workspaces that repeat their latest test, if it was sent before a time. Reads all accounts.
 * @param before UTC text
 */
export const accountsToRepeat = (db: Queryable, before: string): Promise<{ id: number; workspace_id: number }[]> =>
  db.query(sql`
    select a.id, a.workspace_id from accounts a
    where a.placement_weekly and ${isLiveAccount('a')} and ${isLiveWorkspace('a.workspace_id')} and a.placements->0->>'sent_at' < ${before}
    order by a.id`);

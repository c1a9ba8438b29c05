import { type Caller, isLiveWorkspace, missing, visible } from '../access/index.ts';
import { type Queryable, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { isLiveAccount } from './conditions.ts';

/**
 * Where an email of a placement test is: `waiting` while it is looked for, `missing` if it did not arrive, `refused` if the account's server did not
 * take it. `promotions` is a tab of Gmail's inbox, `elsewhere` any folder but the inbox and the one for spam.
 */
export const PLACES = ['waiting', 'inbox', 'promotions', 'junk', 'elsewhere', 'missing', 'refused'] as const;
type Place = (typeof PLACES)[number];

/** An email of a placement test, to one mailbox. */
export interface Placement {
  /** The account whose mailbox gets it. */
  account_id: number;
  email: string;
  /** `google`, `microsoft` or `other`; null if it is not known. */
  provider: string | null;
  message_id: string;
  place: Place;
  /** The folder where it is; null unless it was found. */
  folder: string | null;
  /** Results that its receiver noted, such as `spf=pass dkim=pass dmarc=pass`; null if there are none. */
  authentication: string | null;
  /** Places in DNS of the DKIM keys that signed it. */
  dkim_keys: string[];
  /** The words of a server that refused it, or whose mailbox can't be read; else null. */
  problem: string | null;
}

/** A placement test: one step of a campaign, sent to several mailboxes of the installation. */
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

/** Puts a test before the others of its account, of which 20 are kept. */
export async function addPlacement(tx: Tx, id: number, test: PlacementTest): Promise<void> {
  await tx.query(sql`
    update accounts set placements = jsonb_path_query_array(${JSON.stringify([test])}::jsonb || placements, '$[0 to 19]')
    where id = ${id}`);
}

/**
 * Replaces results of a test that are still waiting. Those that somebody else has found meanwhile stay.
 * @param sentAt names the test
 */
export async function savePlacements(tx: Tx, id: number, sentAt: string, found: readonly Placement[]): Promise<void> {
  const [row] = await tx.query<{ placements: PlacementTest[] }>(
    sql`select placements from accounts where id = ${id} and deleted_at is null for no key update`,
  );
  if (row === undefined) return;
  const byId = new Map(found.map((result) => [result.message_id, result]));
  const placements = row.placements.map((test) =>
    test.sent_at !== sentAt
      ? test
      : { ...test, results: test.results.map((result) => (result.place === 'waiting' ? (byId.get(result.message_id) ?? result) : result)) },
  );
  await tx.query(sql`update accounts set placements = ${JSON.stringify(placements)}::jsonb where id = ${id}`);
}

/** Live accounts with an email of a test that is still looked for. Reads all accounts. */
export const accountsWithWaiting = (db: Queryable): Promise<{ id: number; workspace_id: number }[]> =>
  db.query(sql`
    select a.id, a.workspace_id from accounts a
    where ${isLiveAccount('a')} and a.placements @> '[{"results": [{"place": "waiting"}]}]' order by a.id`);

/** Live accounts of live workspaces whose latest test is to be repeated, and was before. Reads all accounts. @param before UTC text */
export const accountsToRepeat = (db: Queryable, before: string): Promise<{ id: number; workspace_id: number }[]> =>
  db.query(sql`
    select a.id, a.workspace_id from accounts a
    where a.placement_weekly and ${isLiveAccount('a')} and ${isLiveWorkspace('a.workspace_id')} and a.placements->0->>'sent_at' < ${before}
    order by a.id`);

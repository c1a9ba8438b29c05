import { type Queryable, sql } from '../db/statement.ts';

/** Number of a workspace's latest changes that are read. */
const MAX_CHANGES_READ = 1_000;
/**
 * Networks whose addresses many people share, or that are a reverse proxy's that the settings don't name (RFC 1918, RFC 4193, RFC 4291).
 */
const PRIVATE = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1',
  'fc00::/7',
  'fe80::/10',
];

/**
 * Reads the public IP addresses from which members of these workspaces have recently made changes, by workspace: opens and clicks from
 * there are the sender's own. Index: audit_log_workspace.
 */
export async function memberAddresses(db: Queryable, workspaceIds: readonly number[]): Promise<ReadonlyMap<number, ReadonlySet<string>>> {
  const rows = await db.query<{ id: number; addresses: string[] }>(sql`
    select w.id, array(
      select distinct host(l.ip) from (
        select l.ip, l.actor from audit_log l where l.workspace_id = w.id order by l.id desc limit ${MAX_CHANGES_READ}) l
      where l.actor = 'user' and not l.ip <<= any(${PRIVATE}::inet[])) as addresses
    from unnest(${[...new Set(workspaceIds)]}::int[]) w (id)`);
  return new Map(rows.map(({ id, addresses }) => [id, new Set(addresses)]));
}

import { type Queryable, sql } from '../db/statement.ts';

/** Changes of a workspace that are looked at, the latest ones. */
const LATEST = 1_000;
/** Addresses that many share, and those of a reverse proxy that the settings don't name (RFC 1918, RFC 4193, RFC 4291). */
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
 * The public IP addresses from which members of these workspaces changed something lately, by workspace: what comes from there is the sender's
 * own doing. Index: audit_log_workspace.
 */
export async function memberAddresses(db: Queryable, workspaceIds: readonly number[]): Promise<ReadonlyMap<number, ReadonlySet<string>>> {
  const rows = await db.query<{ id: number; addresses: string[] }>(sql`
    select w.id, array(
      select distinct host(l.ip) from (
        select l.ip, l.actor from audit_log l where l.workspace_id = w.id order by l.id desc limit ${LATEST}) l
      where l.actor = 'user' and not l.ip <<= any(${PRIVATE}::inet[])) as addresses
    from unnest(${[...new Set(workspaceIds)]}::int[]) w (id)`);
  return new Map(rows.map(({ id, addresses }) => [id, new Set(addresses)]));
}

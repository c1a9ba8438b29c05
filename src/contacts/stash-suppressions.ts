import type { BulkTx } from '../db/bulk.ts';
import { sql } from '../db/statement.ts';

/**
 * Copies suppressed addresses and domains, and erased addresses, to temporary tables before a restore replaces the database. Contacts who
 * opted out after the backup was made must not be emailed because of the restore.
 * @returns a function that merges them into the restored tables and returns the number of suppressions that the backup lacked
 */
export async function stashSuppressions(tx: BulkTx): Promise<() => Promise<number>> {
  const [has] = await tx.query<{ suppressions: boolean; erased: boolean }>(sql`
    select to_regclass('public.suppressions') is not null as suppressions, to_regclass('public.erased_addresses') is not null as erased`);
  if (has?.suppressions)
    await tx.query(sql`
      create temporary table stashed on commit drop as
        select workspace_id, email, reason, created_at, coalesce((to_jsonb(s) ->> 'workspace_only')::boolean, false) as workspace_only
        from suppressions s where removed_at is null`);
  if (has?.erased) await tx.query(sql`create temporary table stashed_hashes on commit drop as select * from erased_addresses`);
  return async () => {
    if (has?.erased) await tx.query(sql`insert into erased_addresses select * from stashed_hashes on conflict do nothing`);
    if (!has?.suppressions) return 0;
    const [kept] = await tx.query<{ count: number }>(sql`
      with kept as (
        insert into suppressions (workspace_id, email, reason, created_at, workspace_only)
        select r.workspace_id, r.email, r.reason, r.created_at, r.workspace_only from stashed r join workspaces w on w.id = r.workspace_id
        on conflict (workspace_id, mailbox_key(email)) do update set removed_at = null, workspace_only = excluded.workspace_only, reply_ids = null
          where suppressions.removed_at is not null or (suppressions.workspace_only and not excluded.workspace_only)
        returning 1
      ) select count(*)::int as count from kept`);
    return kept?.count ?? 0;
  };
}

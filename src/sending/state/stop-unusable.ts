import { daemon } from '../../access/index.ts';
import { accountIs } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { pauseAccountInTx } from '../../campaigns/index.ts';
import { sql } from '../../db/statement.ts';
import { type UsableFields, unusableReason } from './account-state.ts';

/**
 * Pauses an active account that cannot send because its time zone is missing from this machine's time zone database, so its day
 * and its window are unknown, or because its DKIM key can't be decrypted.
 */
export async function stopUnusable(app: App, id: number): Promise<void> {
  const [row] = await app.db.query<UsableFields & { workspace_id: number }>(
    sql`select a.id, a.workspace_id, a.timezone, a.dkim, a.dkim_secret from accounts a where a.id = ${id} and ${accountIs('a', 'active')} and a.deleted_at is null`,
  );
  const message = row === undefined ? null : unusableReason(app, row);
  if (row === undefined || message === null) return;
  await app.db.tx((tx) => pauseAccountInTx(tx, app, daemon(row.workspace_id), id, { reason: 'provider_error', message }));
  app.log.error({ account: id, reason: message }, 'account paused: it cannot send');
}

import type { TrashKind } from '../access/index.ts';
import { sql } from '../db/statement.ts';

/** A restored account stays paused until a user resumes it, which restarts the campaigns that its deletion stopped. */
const accounts: TrashKind = {
  type: 'accounts',
  table: 'accounts',
  label: 'email',
  taken: 'another account has this address; delete it first',
  async restore(tx, app, _caller, id) {
    const now = app.clock.now();
    await tx.query(sql`update accounts set deleted_at = null, updated_at = ${now} where id = ${id}`);
    await tx.query(sql`
      update accounts set status = 'paused', pause_reason = 'manual', paused_at = ${now}
      where id = ${id} and (status = 'active' or pause_reason = 'provider_limit')`);
  },
};

/** Types of this folder that can be restored from the trash. */
export const accountsTrash: readonly TrashKind[] = [accounts];

import type { TrashKind } from '../../access/index.ts';
import { sql } from '../../db/statement.ts';

/** A restored campaign is paused, so that nobody sends emails by restoring the wrong one. */
export const campaignsTrash: TrashKind = {
  type: 'campaigns',
  table: 'campaigns',
  label: 'name',
  async restore(tx, app, _caller, id) {
    await tx.query(sql`
      update campaigns set deleted_at = null, updated_at = ${app.clock.now()}, paused_by_account = false,
        status = case status when 'active' then 'paused' else status end
      where id = ${id}`);
  },
};

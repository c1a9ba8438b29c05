import type { TrashKind } from '../../access/index.ts';
import { sql } from '../../db/database.ts';

/** A campaign comes back stopped: nobody who restores one by mistake should send mail by it. */
const campaigns: TrashKind = {
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

const templates: TrashKind = {
  type: 'templates',
  table: 'templates',
  label: 'name',
  async restore(tx, app, _caller, id) {
    await tx.query(sql`update templates set deleted_at = null, updated_at = ${app.clock.now()} where id = ${id}`);
  },
};

/** What of this room can be taken back from the trash. */
export const campaignsTrash: readonly TrashKind[] = [campaigns, templates];

import type { TrashKind } from '../access/index.ts';
import { sql } from '../db/statement.ts';

export const templatesTrash: TrashKind = {
  type: 'templates',
  table: 'templates',
  label: 'name',
  async restore(tx, app, _caller, id) {
    await tx.query(sql`update templates set deleted_at = null, updated_at = ${app.clock.now()} where id = ${id}`);
  },
};

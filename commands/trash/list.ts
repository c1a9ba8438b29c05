import { Flags } from '@oclif/core';
import { findWorkspace, listTrash } from '../../src/access/index.ts';
import { OutreachCommand } from '../../src/cli/command.ts';
import { table } from '../../src/cli/table.ts';

export default class TrashList extends OutreachCommand {
  static override description = 'what was deleted and can be restored, last first';
  static override examples = ['<%= config.bin %> trash list', '<%= config.bin %> trash list --type contacts'];
  static override flags = {
    limit: Flags.integer({ description: 'how many at most', default: 50, min: 1, max: 10_000 }),
    type: Flags.string({ description: 'only of this type, for example campaigns', helpValue: 'TYPE' }),
    workspace: Flags.string({ description: 'only in this workspace; every workspace when left out', helpValue: 'W' }),
  };

  async run() {
    const { flags } = await this.parse(TrashList);
    const { trashKinds } = await import('../../src/main/trash.ts');
    const rows = await this.withApp(flags, async (app) =>
      listTrash(app.db, trashKinds, {
        limit: flags.limit,
        ...(flags.type === undefined ? {} : { type: flags.type }),
        ...(flags.workspace === undefined ? {} : { workspaceId: (await findWorkspace(app.db, flags.workspace)).id }),
      }),
    );
    this.log(table(rows, ['type', 'id', 'name', 'workspace_id', 'deleted_at']));
    return { data: rows };
  }
}

import { Flags } from '@oclif/core';
import { findWorkspace, listTrash } from '../../src/access/index.ts';
import { OutreachCommand } from '../../src/cli/command.ts';
import { table } from '../../src/cli/table.ts';

export default class TrashList extends OutreachCommand {
  static override description = 'List deleted records that can be restored, latest first';
  static override examples = ['<%= config.bin %> trash list', '<%= config.bin %> trash list --type contacts'];
  static override flags = {
    limit: Flags.integer({ description: 'maximum number of records', default: 50, min: 1, max: 10_000 }),
    type: Flags.string({ description: 'only records of this type, for example campaigns', helpValue: 'TYPE' }),
    workspace: Flags.string({ description: 'id or name of a workspace (default: all workspaces)', helpValue: 'W' }),
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

import { Flags } from '@oclif/core';
import { listWorkspaces } from '../../src/access/index.ts';
import { OutreachCommand } from '../../src/cli/command.ts';
import { listFlags } from '../../src/cli/list-output.ts';
import { printRows } from '../../src/cli/print-rows.ts';

const DEFAULT_COLUMNS = ['id', 'name', 'is_default', 'timezone', 'members', 'created_at'];

export default class WorkspaceList extends OutreachCommand {
  static override description = 'List workspaces';
  static override examples = ['<%= config.bin %> workspace list', '<%= config.bin %> workspace list --archived'];
  static override flags = { ...listFlags, archived: Flags.boolean({ description: 'list archived workspaces instead' }) };

  async run() {
    const { flags } = await this.parse(WorkspaceList);
    const workspaces = await this.withApp(flags, (app) => listWorkspaces(app.db, { archived: flags.archived }));
    const rows = flags.all ? workspaces : workspaces.slice(0, flags.limit);
    return printRows(this, flags, DEFAULT_COLUMNS, { rows, total: workspaces.length });
  }
}

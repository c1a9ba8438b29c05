import { Flags } from '@oclif/core';
import { listWorkspaces } from '../../src/access/index.ts';
import { OutreachCommand } from '../../src/cli/command.ts';
import { table } from '../../src/cli/table.ts';

export default class WorkspaceList extends OutreachCommand {
  static override description = 'List workspaces';
  static override examples = ['<%= config.bin %> workspace list', '<%= config.bin %> workspace list --archived'];
  static override flags = { archived: Flags.boolean({ description: 'list archived workspaces instead' }) };

  async run() {
    const { flags } = await this.parse(WorkspaceList);
    const workspaces = await this.withApp(flags, (app) => listWorkspaces(app.db, { archived: flags.archived }));
    this.log(table(workspaces, ['id', 'name', 'is_default', 'timezone', 'members', 'created_at']));
    return { data: workspaces };
  }
}

import { listWorkspaces } from '../../src/access/index.ts';
import { OutreachCommand } from '../../src/cli/command.ts';
import { table } from '../../src/cli/table.ts';

export default class WorkspaceList extends OutreachCommand {
  static override description = 'every workspace';
  static override examples = ['<%= config.bin %> workspace list'];

  async run() {
    const { flags } = await this.parse(WorkspaceList);
    const workspaces = await this.withApp(flags, (app) => listWorkspaces(app.db));
    this.log(table(workspaces, ['id', 'name', 'is_default', 'timezone', 'members', 'created_at']));
    return { data: workspaces };
  }
}

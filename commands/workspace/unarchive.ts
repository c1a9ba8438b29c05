import { Args } from '@oclif/core';
import { findWorkspace, operator, unarchiveWorkspace } from '../../src/access/index.ts';
import { OutreachCommand } from '../../src/cli/command.ts';

export default class WorkspaceUnarchive extends OutreachCommand {
  static override description = 'Unarchive a workspace\n\nIts API keys work again.';
  static override examples = ['<%= config.bin %> workspace unarchive Acme'];
  static override args = { workspace: Args.string({ required: true, description: 'id or name of the archived workspace' }) };

  async run() {
    const { args, flags } = await this.parse(WorkspaceUnarchive);
    const { id, name } = await this.withApp(flags, async (app) => {
      const workspace = await findWorkspace(app.db, args.workspace, { archived: true });
      return unarchiveWorkspace(app, operator(workspace.id));
    });
    this.log(`Workspace ${id} "${name}" was unarchived.`);
    return { id, name, is_archived: false };
  }
}

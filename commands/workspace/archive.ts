import { Args } from '@oclif/core';
import { archiveWorkspace, findWorkspace, operator } from '../../src/access/index.ts';
import { OutreachCommand } from '../../src/cli/command.ts';

export default class WorkspaceArchive extends OutreachCommand {
  static override description = `put a workspace away: its keys fail until it is taken back with workspace unarchive

Its active campaigns must be paused first. The default workspace stays.`;
  static override examples = ['<%= config.bin %> workspace archive Acme'];
  static override args = { workspace: Args.string({ required: true, description: 'id or name of the workspace' }) };

  async run() {
    const { args, flags } = await this.parse(WorkspaceArchive);
    const { id, name } = await this.withApp(flags, async (app) => {
      const workspace = await findWorkspace(app.db, args.workspace);
      await archiveWorkspace(app, operator(workspace.id));
      return workspace;
    });
    this.log(`Workspace ${id} "${name}" is archived.`);
    return { id, name, is_archived: true };
  }
}

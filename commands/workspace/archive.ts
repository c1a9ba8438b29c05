import { Args } from '@oclif/core';
import { archiveWorkspace, findWorkspace, operator } from '../../src/access/index.ts';
import { countActiveCampaigns } from '../../src/campaigns/index.ts';
import { OutreachCommand } from '../../src/cli/command.ts';

export default class WorkspaceArchive extends OutreachCommand {
  static override description = `Archive a workspace

Its API keys stop working until it is unarchived. Active campaigns must be paused first. The default workspace can't be archived.`;
  static override examples = ['<%= config.bin %> workspace archive Acme'];
  static override args = { workspace: Args.string({ required: true, description: 'id or name of the workspace' }) };

  async run() {
    const { args, flags } = await this.parse(WorkspaceArchive);
    const { id, name } = await this.withApp(flags, async (app) => {
      const workspace = await findWorkspace(app.db, args.workspace);
      await archiveWorkspace(app, operator(workspace.id), countActiveCampaigns);
      return workspace;
    });
    this.log(`Workspace ${id} "${name}" was archived.`);
    return { id, name, is_archived: true };
  }
}

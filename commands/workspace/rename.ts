import { Args } from '@oclif/core';
import { setWorkspace } from '../../src/access/index.ts';
import { OutreachCommand } from '../../src/cli/command.ts';

export default class WorkspaceRename extends OutreachCommand {
  static override description = 'Rename a workspace';
  static override examples = ['<%= config.bin %> workspace rename Acme "Acme Europe"'];
  static override args = {
    workspace: Args.string({ required: true, description: 'id or name of the workspace' }),
    name: Args.string({ required: true, description: 'new name, unique among workspaces that are not archived' }),
  };

  async run() {
    const { args, flags } = await this.parse(WorkspaceRename);
    const workspace = await this.withApp(flags, async (app) =>
      setWorkspace(app, await this.operatorIn(app, args.workspace), { name: args.name }),
    );
    this.log(`Workspace ${workspace.id} is now "${workspace.name}".`);
    return workspace;
  }
}

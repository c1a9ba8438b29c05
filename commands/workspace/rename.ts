import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';

export default class WorkspaceRename extends ClientCommand {
  static override description = 'Rename a workspace';
  static override examples = ['<%= config.bin %> workspace rename Acme "Acme Europe"'];
  static override args = {
    workspace: Args.string({ required: true, description: 'id or name of the workspace' }),
    name: Args.string({ required: true, description: 'new name, unique among workspaces that are not archived' }),
  };

  async run() {
    const { args, flags } = await this.parse(WorkspaceRename);
    const api = await this.clientIn(flags, args.workspace);
    const { postal_address, footer_html, ...workspace } = await api.access.setWorkspace.mutate({ name: args.name });
    this.log(`Workspace ${workspace.id} is now "${workspace.name}".`);
    return workspace;
  }
}

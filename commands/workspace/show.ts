import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { describeWorkspace } from '../../src/cli/describe/workspace.ts';

export default class WorkspaceShow extends ClientCommand {
  static override description = 'Show a workspace with its settings, and what it still lacks for sending';
  static override examples = ['<%= config.bin %> workspace show', '<%= config.bin %> workspace show Acme --json'];
  static override args = {
    workspace: Args.string({ description: 'id or name of the workspace (default: the one that commands work in)' }),
  };

  async run() {
    const { args, flags } = await this.parse(WorkspaceShow);
    const api = await this.clientIn(flags, args.workspace);
    const workspace = await api.access.workspaceSettings.query({});
    this.draw(describeWorkspace(workspace));
    return workspace;
  }
}

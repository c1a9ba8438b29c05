import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { USER_COLUMNS } from '../../src/cli/client/users.ts';
import { listFlags } from '../../src/cli/list-output.ts';

export default class WorkspaceMembers extends ClientCommand {
  static override description = 'List the members of a workspace with their roles';
  static override examples = ['<%= config.bin %> workspace members', '<%= config.bin %> workspace members Acme'];
  static override args = {
    workspace: Args.string({ description: 'id or name of the workspace (default: the one that commands work in)' }),
  };
  static override flags = { ...listFlags };

  async run() {
    const { args, flags } = await this.parse(WorkspaceMembers);
    const api = await this.clientIn(flags, args.workspace);
    return this.list(flags, USER_COLUMNS, () => api.users.list.query({}));
  }
}

import { Args } from '@oclif/core';
import { listUsers } from '../../src/access/index.ts';
import { OutreachCommand } from '../../src/cli/command.ts';
import { table } from '../../src/cli/table.ts';

export default class WorkspaceMembers extends OutreachCommand {
  static override description = 'List the members of a workspace with their roles';
  static override examples = ['<%= config.bin %> workspace members', '<%= config.bin %> workspace members Acme'];
  static override args = {
    workspace: Args.string({ description: 'id or name of the workspace (default: the default workspace)' }),
  };

  async run() {
    const { args, flags } = await this.parse(WorkspaceMembers);
    const users = await this.withApp(flags, async (app) => listUsers(app.db, await this.operatorIn(app, args.workspace)));
    this.log(table(users, ['id', 'name', 'email', 'role', 'disabled', 'pending_invite', 'created_at']));
    return { data: users };
  }
}

import { listUsers } from '../../src/access/index.ts';
import { OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';
import { table } from '../../src/cli/table.ts';

export default class UserList extends OutreachCommand {
  static override description = 'List the users of a workspace';
  static override examples = ['<%= config.bin %> user list'];
  static override flags = { workspace: workspaceFlag };

  async run() {
    const { flags } = await this.parse(UserList);
    const users = await this.withApp(flags, async (app) => listUsers(app.db, await this.operatorIn(app, flags.workspace)));
    this.log(table(users, ['id', 'name', 'email', 'role', 'disabled', 'pending_invite', 'created_at']));
    return { data: users };
  }
}

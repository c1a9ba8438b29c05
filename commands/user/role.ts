import { Args } from '@oclif/core';
import { changeRole, findUserByEmail, ROLES } from '../../src/access/index.ts';
import { OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';

export default class UserRole extends OutreachCommand {
  static override description = "Change a user's role in a workspace\n\nThe new role applies from their next request.";
  static override examples = ['<%= config.bin %> user role ada@example.com admin --workspace Acme'];
  static override args = {
    email: Args.string({ required: true, description: 'email address of the user' }),
    role: Args.option({ description: 'new role', options: ROLES })({ required: true }),
  };
  static override flags = { workspace: workspaceFlag };

  async run() {
    const { args, flags } = await this.parse(UserRole);
    const user = await this.withApp(flags, async (app) => {
      const caller = await this.operatorIn(app, flags.workspace);
      const { id } = await findUserByEmail(app.db, args.email);
      return changeRole(app, caller, id, args.role);
    });
    this.log(`${user.email} is now ${user.role}.`);
    return user;
  }
}

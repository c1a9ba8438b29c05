import { Args } from '@oclif/core';
import { disableUser, findUserByEmail, operator } from '../../src/access/index.ts';
import { OutreachCommand } from '../../src/cli/command.ts';

export default class UserDisable extends OutreachCommand {
  static override description = 'Disable a user in every workspace and revoke their API keys';
  static override examples = ['<%= config.bin %> user disable ada@example.com'];
  static override args = { email: Args.string({ required: true, description: 'email address of the user' }) };

  async run() {
    const { args, flags } = await this.parse(UserDisable);
    const user = await this.withApp(flags, async (app) => {
      const { id, workspace_id: workspaceId } = await findUserByEmail(app.db, args.email);
      return disableUser(app, operator(workspaceId), id);
    });
    this.log(`${user.email} was disabled; their API keys were revoked.`);
    return user;
  }
}

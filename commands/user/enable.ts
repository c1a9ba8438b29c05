import { Args } from '@oclif/core';
import { enableUser, findUserByEmail, operator } from '../../src/access/index.ts';
import { OutreachCommand } from '../../src/cli/command.ts';

export default class UserEnable extends OutreachCommand {
  static override description = 'Enable a disabled user\n\nRevoked API keys stay revoked.';
  static override examples = ['<%= config.bin %> user enable ada@example.com'];
  static override args = { email: Args.string({ required: true, description: 'email address of the user' }) };

  async run() {
    const { args, flags } = await this.parse(UserEnable);
    const user = await this.withApp(flags, async (app) => {
      const { id, workspace_id: workspaceId } = await findUserByEmail(app.db, args.email);
      return enableUser(app, operator(workspaceId), id);
    });
    this.log(`${user.email} was enabled. To create an API key for them, run: outreach key create NAME --user ${user.email}`);
    return user;
  }
}

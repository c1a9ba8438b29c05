import { Args } from '@oclif/core';
import { enableUser, findUserByEmail, operator } from '../../src/access/index.ts';
import { OutreachCommand } from '../../src/cli/command.ts';

export default class UserEnable extends OutreachCommand {
  static override description = 'enable a person again; ended keys stay ended';
  static override examples = ['<%= config.bin %> user enable ada@example.com'];
  static override args = { email: Args.string({ required: true, description: 'address of the person' }) };

  async run() {
    const { args, flags } = await this.parse(UserEnable);
    const user = await this.withApp(flags, async (app) => {
      const { id, workspace_id: workspaceId } = await findUserByEmail(app.db, args.email);
      return enableUser(app, operator(workspaceId), id);
    });
    this.log(`${user.email} is enabled. Make a key with: outreach key create NAME --user ${user.email}`);
    return user;
  }
}

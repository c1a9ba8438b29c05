import { Args } from '@oclif/core';
import { disableUser, findUserByEmail, operator } from '../../src/access/index.ts';
import { OutreachCommand } from '../../src/cli/command.ts';

export default class UserDisable extends OutreachCommand {
  static override description = 'disable a person in every workspace and end their keys for good';
  static override examples = ['<%= config.bin %> user disable ada@example.com'];
  static override args = { email: Args.string({ required: true, description: 'address of the person' }) };

  async run() {
    const { args, flags } = await this.parse(UserDisable);
    const user = await this.withApp(flags, async (app) => {
      const { id, workspace_id: workspaceId } = await findUserByEmail(app.db, args.email);
      return disableUser(app, operator(workspaceId), id);
    });
    this.log(`${user.email} is disabled; their keys have ended.`);
    return user;
  }
}

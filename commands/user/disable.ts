import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';

export default class UserDisable extends ClientCommand {
  static override description = 'Disable a user in every workspace and revoke their API keys';
  static override examples = ['<%= config.bin %> user disable ada@example.com'];
  static override args = { email: Args.string({ required: true, description: 'email address of the user' }) };

  async run() {
    const { args, flags } = await this.parse(UserDisable);
    const api = await this.client(flags);
    const user = await api.people.disable.mutate({ email: args.email });
    this.log(`${user.email} was disabled; their API keys were revoked.`);
    return user;
  }
}

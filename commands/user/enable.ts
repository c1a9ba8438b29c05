import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';

export default class UserEnable extends ClientCommand {
  static override description = 'Enable a disabled user\n\nRevoked API keys stay revoked.';
  static override examples = ['<%= config.bin %> user enable ada@example.com'];
  static override args = { email: Args.string({ required: true, description: 'email address of the user' }) };

  async run() {
    const { args, flags } = await this.parse(UserEnable);
    const api = await this.client(flags);
    const user = await api.people.enable.mutate({ email: args.email });
    this.tell(`${user.email} was enabled. To create an API key for them, run: outreach key create NAME --user ${user.email}`);
    return user;
  }
}

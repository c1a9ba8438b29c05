import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';

export default class AccountUnarchive extends ClientCommand {
  static override description = 'Unarchive an account';
  static override examples = ['<%= config.bin %> account unarchive 3', '<%= config.bin %> account unarchive zoe@example.com'];
  static override args = { account: Args.string({ required: true, description: 'id or email address of the account' }) };

  async run() {
    const { args, flags } = await this.parse(AccountUnarchive);
    const api = await this.client(flags);
    const id = await idOf(api, 'account', args.account);
    const account = await api.accounts.unarchive.mutate({ id });
    this.log(`${account.email} (account ${id}) was unarchived.`);
    return account;
  }
}

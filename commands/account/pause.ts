import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';

export default class AccountPause extends ClientCommand {
  static override description = 'Pause an account and its active campaigns';
  static override examples = ['<%= config.bin %> account pause 3', '<%= config.bin %> account pause zoe@example.com'];
  static override args = { account: Args.string({ required: true, description: 'id or email address of the account' }) };

  async run() {
    const { args, flags } = await this.parse(AccountPause);
    const api = await this.client(flags);
    const id = await idOf(api, 'account', args.account);
    const account = await api.accounts.pause.mutate({ id });
    this.log(`${account.email} (account ${id}) is paused with its campaigns; to continue, run: outreach account resume ${id}`);
    return account;
  }
}

import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';

export default class AccountArchive extends ClientCommand {
  static override description = 'Archive an account and pause its active campaigns';
  static override examples = ['<%= config.bin %> account archive 3', '<%= config.bin %> account archive zoe@example.com'];
  static override args = { account: Args.string({ required: true, description: 'id or email address of the account' }) };

  async run() {
    const { args, flags } = await this.parse(AccountArchive);
    const api = await this.client(flags);
    const id = await idOf(api, 'account', args.account);
    const account = await api.accounts.archive.mutate({ id });
    this.log(`${account.email} (account ${id}) is archived.`);
    return account;
  }
}

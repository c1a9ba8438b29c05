import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';

export default class AccountResume extends ClientCommand {
  static override description = 'Resume an account and the campaigns that were paused with it';
  static override examples = ['<%= config.bin %> account resume 3', '<%= config.bin %> account resume zoe@example.com'];
  static override args = { account: Args.string({ required: true, description: 'id or email address of the account' }) };

  async run() {
    const { args, flags } = await this.parse(AccountResume);
    const api = await this.client(flags);
    const id = await idOf(api, 'account', args.account);
    const account = await api.accounts.resume.mutate({ id });
    this.log(`${account.email} (account ${id}) is active.`);
    return account;
  }
}

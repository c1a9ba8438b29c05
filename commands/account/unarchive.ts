import { Flags } from '@oclif/core';
import { AccountsCommand, accountsArgument } from '../../src/cli/client/accounts-command.ts';

export default class AccountUnarchive extends AccountsCommand {
  static override description = 'Unarchive accounts';
  static override examples = ['<%= config.bin %> account unarchive 3 zoe@example.com', '<%= config.bin %> account unarchive --tag us'];
  static override args = accountsArgument;
  static override flags = {
    all: Flags.boolean({ description: 'every archived account' }),
    tag: Flags.string({ description: 'every archived account with this tag', helpValue: 'T' }),
  };

  async run() {
    const { args, flags } = await this.parse(AccountUnarchive);
    const api = await this.client(flags);
    return this.eachAccount(
      api,
      { words: args.account, all: flags.all, tag: flags.tag, archived: true },
      (id) => api.accounts.unarchive.mutate({ id }),
      ({ id, email }) => `${email} (account ${id}) was unarchived.`,
    );
  }
}

import { AccountsCommand, accountsArgument, choiceFlags } from '../../src/cli/client/accounts-command.ts';

export default class AccountArchive extends AccountsCommand {
  static override description = 'Archive accounts and pause their active campaigns';
  static override examples = ['<%= config.bin %> account archive 3 zoe@example.com', '<%= config.bin %> account archive --tag us'];
  static override args = accountsArgument;
  static override flags = choiceFlags;

  async run() {
    const { args, flags } = await this.parse(AccountArchive);
    const api = await this.client(flags);
    return this.eachAccount(
      api,
      { words: args.account, all: flags.all, tag: flags.tag },
      (id) => api.accounts.archive.mutate({ id }),
      ({ id, email }) => `${email} (account ${id}) is archived.`,
    );
  }
}

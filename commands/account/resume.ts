import { AccountsCommand, accountsArgument, choiceFlags } from '../../src/cli/client/accounts-command.ts';

export default class AccountResume extends AccountsCommand {
  static override description = 'Resume accounts and the campaigns that were paused with them';
  static override examples = ['<%= config.bin %> account resume 3 zoe@example.com', '<%= config.bin %> account resume --tag us'];
  static override args = accountsArgument;
  static override flags = choiceFlags;

  async run() {
    const { args, flags } = await this.parse(AccountResume);
    const api = await this.client(flags);
    return this.eachAccount(
      api,
      { words: args.account, all: flags.all, tag: flags.tag },
      (id) => api.accounts.resume.mutate({ id }),
      ({ id, email }) => `${email} (account ${id}) is active.`,
    );
  }
}

import { AccountsCommand, accountsArgument, choiceFlags } from '../../src/cli/client/accounts-command.ts';

export default class AccountPause extends AccountsCommand {
  static override description = 'Pause accounts and their active campaigns';
  static override examples = ['<%= config.bin %> account pause 3 zoe@example.com', '<%= config.bin %> account pause --tag us'];
  static override args = accountsArgument;
  static override flags = choiceFlags;

  async run() {
    const { args, flags } = await this.parse(AccountPause);
    const api = await this.client(flags);
    return this.eachAccount(
      api,
      { words: args.account, all: flags.all, tag: flags.tag },
      (id) => api.accounts.pause.mutate({ id }),
      ({ id, email }) => `${email} (account ${id}) is paused with its campaigns; to continue, run: outreach account resume ${id}`,
    );
  }
}

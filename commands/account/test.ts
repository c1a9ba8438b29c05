import { AccountsCommand, accountsArgument, choiceFlags } from '../../src/cli/client/accounts-command.ts';
import type { Api } from '../../src/cli/client/api.ts';
import { table } from '../../src/terminal/table.ts';

type Tested = Awaited<ReturnType<Api['accountSetup']['test']['mutate']>>;

export default class AccountTest extends AccountsCommand {
  static override description =
    'Log in to the servers of accounts and open their mailboxes\n\nOpens INBOX and the other folders that are polled. If both logins succeed, ' +
    'an account that was paused by a provider error is resumed, and one that waits after failed connections ' +
    'continues at once.';
  static override examples = ['<%= config.bin %> account test zoe@example.com', '<%= config.bin %> account test --all'];
  static override args = accountsArgument;
  static override flags = choiceFlags;

  async run() {
    const { args, flags } = await this.parse(AccountTest);
    const api = await this.client(flags);
    return this.eachAccount(
      api,
      { words: args.account, all: flags.all, tag: flags.tag },
      async (id) => {
        const tested = await api.accountSetup.test.mutate({ id });
        if (!tested.ok) process.exitCode = 1;
        return tested;
      },
      lineOf,
      (tested) => this.log(details(tested)),
    );
  }
}

function lineOf({ account_id, email, ok, smtp, imap, resumed }: Tested): string {
  const problems = [smtp.problem, imap?.problem].filter((problem) => typeof problem === 'string');
  return `${email} (account ${account_id}): ${ok ? [`ok${resumed ? ', and active again' : ''}`, ...(imap?.warnings ?? [])].join('; ') : problems.join(' | ')}`;
}

function details({ account_id, smtp, imap, resumed }: Tested): string {
  const servers = { SMTP: smtp, ...(imap === null ? {} : { IMAP: imap }) };
  const rows = Object.entries(servers).map(([protocol, server]) => ({ protocol, ...server, result: server.problem ?? 'ok' }));
  const note = resumed ? `\n\nAccount ${account_id} was paused by a provider error; it is active again.` : '';
  const warnings = (imap?.warnings ?? []).map((warning) => `\n\n${warning}`).join('');
  return `${table(rows, ['protocol', 'host', 'port', 'result'])}${warnings}${note}`;
}

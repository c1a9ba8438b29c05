import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { table } from '../../src/cli/table.ts';

export default class AccountTest extends ClientCommand {
  static override description =
    'Log in to the servers of an account\n\nIf both logins succeed, an account that was paused by a provider error is resumed, and one that waits after failed connections ' +
    'continues at once.';
  static override examples = ['<%= config.bin %> account test 3', '<%= config.bin %> account test zoe@example.com'];
  static override args = { account: Args.string({ required: true, description: 'id or email address of the account' }) };

  async run() {
    const { args, flags } = await this.parse(AccountTest);
    const api = await this.client(flags);
    const id = await idOf(api, 'account', args.account);
    const result = await api.accountSetup.test.mutate({ id });
    const servers = { SMTP: result.smtp, ...(result.imap === null ? {} : { IMAP: result.imap }) };
    const rows = Object.entries(servers).map(([protocol, server]) => ({ protocol, ...server, result: server.problem ?? 'ok' }));
    this.log(table(rows, ['protocol', 'host', 'port', 'result']));
    if (result.resumed) this.log(`\nAccount ${id} was paused by a provider error; it is active again.`);
    if (!result.ok) process.exitCode = 1;
    return result;
  }
}

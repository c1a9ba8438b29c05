import { Args } from '@oclif/core';
import { idArgument } from '../../src/cli/argument.ts';
import { OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';
import { table } from '../../src/cli/table.ts';

export default class AccountTest extends OutreachCommand {
  static override description =
    'Log in to the servers of an account\n\nIf both logins succeed, an account that was paused by a provider error is resumed, and one that waits after failed connections ' +
    'continues at once.';
  static override examples = ['<%= config.bin %> account test 3'];
  static override args = { id: Args.string({ required: true, description: 'id of the account' }) };
  static override flags = { workspace: workspaceFlag };

  async run() {
    const { args, flags } = await this.parse(AccountTest);
    const id = idArgument(args.id, 'account');
    const { getAccount, testAccount } = await import('../../src/accounts/index.ts');
    const { resumeAccount } = await import('../../src/campaigns/index.ts');
    const result = await this.withApp(flags, async (app) => {
      const caller = await this.operatorIn(app, flags.workspace);
      const tested = await testAccount(app, caller, id);
      const ok = tested.smtp.problem === null && (tested.imap?.problem ?? null) === null;
      const account = await getAccount(app.db, caller, id);
      const resumed = ok && account.status === 'paused' && account.pause_reason === 'provider_error' && !account.is_archived;
      if (resumed) await resumeAccount(app, caller, id);
      return { account_id: id, email: account.email, ok, ...tested, resumed };
    });
    const servers = { SMTP: result.smtp, ...(result.imap === null ? {} : { IMAP: result.imap }) };
    const rows = Object.entries(servers).map(([protocol, server]) => ({ protocol, ...server, result: server.problem ?? 'ok' }));
    this.log(table(rows, ['protocol', 'host', 'port', 'result']));
    if (result.resumed) this.log(`\nAccount ${id} was paused by a provider error; it is active again.`);
    if (!result.ok) process.exitCode = 1;
    return result;
  }
}

import { Args } from '@oclif/core';
import { idArgument } from '../../src/cli/argument.ts';
import { OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';
import { record } from '../../src/cli/table.ts';

export default class AccountShow extends OutreachCommand {
  static override description =
    'Show an account\n\nIncludes settings that the API does not expose; --json prints the account as the API does.';
  static override examples = ['<%= config.bin %> account show 3'];
  static override args = { id: Args.string({ required: true, description: 'id of the account' }) };
  static override flags = { workspace: workspaceFlag };

  async run() {
    const { args, flags } = await this.parse(AccountShow);
    const id = idArgument(args.id, 'account');
    const { getAccount, getAccountDetails, getDkim } = await import('../../src/accounts/index.ts');
    const { countUnreadable } = await import('../../src/inbound/index.ts');
    const { zoneLine } = await import('../../src/mail/dkim.ts');
    const { account, details, dkim, unreadable } = await this.withApp(flags, async (app) => {
      const caller = await this.operatorIn(app, flags.workspace);
      return {
        account: await getAccount(app.db, caller, id),
        details: await getAccountDetails(app.db, caller, id),
        dkim: await getDkim(app.db, caller, id),
        unreadable: await countUnreadable(app.db, id),
      };
    });
    this.log(record({ ...account, ...details, dkim: dkim.map(({ name }) => name).join(', '), unreadable_messages: unreadable }));
    if (dkim.length > 0) this.log(`\n${dkim.map(zoneLine).join('\n')}`);
    return account;
  }
}

import { Args } from '@oclif/core';
import { idArgument, OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';

export default class AccountUnarchive extends OutreachCommand {
  static override description = 'Unarchive an account';
  static override examples = ['<%= config.bin %> account unarchive 3'];
  static override args = { id: Args.string({ required: true, description: 'id of the account' }) };
  static override flags = { workspace: workspaceFlag };

  async run() {
    const { args, flags } = await this.parse(AccountUnarchive);
    const id = idArgument(args.id, 'account');
    const { unarchiveAccount } = await import('../../src/campaigns/index.ts');
    const account = await this.withApp(flags, async (app) => unarchiveAccount(app, await this.operatorIn(app, flags.workspace), id));
    this.log(`${account.email} (account ${id}) was unarchived.`);
    return account;
  }
}

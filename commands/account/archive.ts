import { Args } from '@oclif/core';
import { idArgument, OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';

export default class AccountArchive extends OutreachCommand {
  static override description = 'Archive an account and pause its active campaigns';
  static override examples = ['<%= config.bin %> account archive 3'];
  static override args = { id: Args.string({ required: true, description: 'id of the account' }) };
  static override flags = { workspace: workspaceFlag };

  async run() {
    const { args, flags } = await this.parse(AccountArchive);
    const id = idArgument(args.id, 'account');
    const { archiveAccount } = await import('../../src/campaigns/index.ts');
    const account = await this.withApp(flags, async (app) => archiveAccount(app, await this.operatorIn(app, flags.workspace), id));
    this.log(`${account.email} (account ${id}) is archived.`);
    return account;
  }
}

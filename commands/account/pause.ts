import { Args } from '@oclif/core';
import { idArgument, OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';

export default class AccountPause extends OutreachCommand {
  static override description = 'Pause an account and its active campaigns';
  static override examples = ['<%= config.bin %> account pause 3'];
  static override args = { id: Args.string({ required: true, description: 'id of the account' }) };
  static override flags = { workspace: workspaceFlag };

  async run() {
    const { args, flags } = await this.parse(AccountPause);
    const id = idArgument(args.id, 'account');
    const { pauseAccount } = await import('../../src/campaigns/index.ts');
    const account = await this.withApp(flags, async (app) => pauseAccount(app, await this.operatorIn(app, flags.workspace), id));
    this.log(`${account.email} (account ${id}) is paused with its campaigns; to continue, run: outreach account resume ${id}`);
    return account;
  }
}

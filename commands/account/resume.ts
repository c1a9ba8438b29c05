import { Args } from '@oclif/core';
import { idArgument, OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';

export default class AccountResume extends OutreachCommand {
  static override description = 'Resume an account and the campaigns that were paused with it';
  static override examples = ['<%= config.bin %> account resume 3'];
  static override args = { id: Args.string({ required: true, description: 'id of the account' }) };
  static override flags = { workspace: workspaceFlag };

  async run() {
    const { args, flags } = await this.parse(AccountResume);
    const id = idArgument(args.id, 'account');
    const { resumeAccount } = await import('../../src/campaigns/index.ts');
    const account = await this.withApp(flags, async (app) => resumeAccount(app, await this.operatorIn(app, flags.workspace), id));
    this.log(`${account.email} (account ${id}) is active.`);
    return account;
  }
}

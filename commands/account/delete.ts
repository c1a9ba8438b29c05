import { Args } from '@oclif/core';
import { idArgument, OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';

export default class AccountDelete extends OutreachCommand {
  static override description = 'Delete an account and pause its active campaigns\n\nTo undo, run: outreach trash restore accounts ID';
  static override examples = ['<%= config.bin %> account delete 3'];
  static override args = { id: Args.string({ required: true, description: 'id of the account' }) };
  static override flags = { workspace: workspaceFlag };

  async run() {
    const { args, flags } = await this.parse(AccountDelete);
    const id = idArgument(args.id, 'account');
    const { deleteAccount } = await import('../../src/campaigns/index.ts');
    await this.withApp(flags, async (app) => deleteAccount(app, await this.operatorIn(app, flags.workspace), id));
    this.log(`Account ${id} was deleted; to undo, run: outreach trash restore accounts ${id}`);
    return { id, deleted: true };
  }
}

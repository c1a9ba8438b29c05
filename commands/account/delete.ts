import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { confirm, yesFlag } from '../../src/cli/confirm.ts';

export default class AccountDelete extends ClientCommand {
  static override description = 'Delete an account and pause its active campaigns\n\nTo undo, run: outreach trash restore accounts ID';
  static override examples = ['<%= config.bin %> account delete 3', '<%= config.bin %> account delete zoe@example.com --yes'];
  static override args = { account: Args.string({ required: true, description: 'id or email address of the account' }) };
  static override flags = { yes: yesFlag };

  async run() {
    const { args, flags } = await this.parse(AccountDelete);
    const api = await this.client(flags);
    const { id, email } = await api.accounts.get.query({ id: await idOf(api, 'account', args.account) });
    await confirm(flags, `Delete account ${id} ${email} and pause its active campaigns?`, 'nothing was deleted');
    await api.accounts.remove.mutate({ id });
    this.tell(`Account ${id} was deleted; to undo, run: outreach trash restore accounts ${id}`);
    return { id, deleted: true };
  }
}

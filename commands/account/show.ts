import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { describeAccount } from '../../src/terminal/account-page.ts';

export default class AccountShow extends ClientCommand {
  static override description =
    'Show an account with its state, settings and servers\n\nShows its state and how to change it, sending hours and limits, servers, ' +
    'and the settings that differ from the default; --json prints the record.';
  static override examples = ['<%= config.bin %> account show 3', '<%= config.bin %> account show zoe@example.com'];
  static override args = { account: Args.string({ required: true, description: 'id or email address of the account' }) };

  async run() {
    const { args, flags } = await this.parse(AccountShow);
    const api = await this.client(flags);
    const id = await idOf(api, 'account', args.account);
    const [account, text] = await Promise.all([api.accounts.get.query({ id }), this.jsonEnabled() ? undefined : describeAccount(api, id)]);
    if (text !== undefined) this.draw(text);
    return account;
  }
}

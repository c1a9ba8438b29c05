import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { record, table } from '../../src/cli/table.ts';
import { zoneLine } from '../../src/mail/dkim.ts';

export default class AccountShow extends ClientCommand {
  static override description =
    'Show an account\n\nIncludes its servers and the settings that are not part of its API record; --json prints the record.';
  static override examples = ['<%= config.bin %> account show 3', '<%= config.bin %> account show zoe@example.com'];
  static override args = { account: Args.string({ required: true, description: 'id or email address of the account' }) };

  async run() {
    const { args, flags } = await this.parse(AccountShow);
    const api = await this.client(flags);
    const id = await idOf(api, 'account', args.account);
    const [account, { dkim_records: dkim, unreadable_messages, missed_messages, smtp: _smtp, imap: _imap, ...details }] = await Promise.all(
      [api.accounts.get.query({ id }), api.accountSetup.details.query({ id })],
    );
    this.log(record({ ...account, ...details, dkim: dkim.map(({ name }) => name).join(', '), unreadable_messages }));
    if (missed_messages.length > 0)
      this.log(`\nMessages that were not read:\n${table(missed_messages, ['folder', 'uid', 'retry_at', 'reason'])}`);
    if (dkim.length > 0) this.log(`\n${dkim.map(zoneLine).join('\n')}`);
    return account;
  }
}

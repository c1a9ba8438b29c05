import { Args } from '@oclif/core';
import { settingFlags, settingsFrom } from '../../src/cli/account-flags.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { dkimFlags, dkimFrom } from '../../src/cli/dkim-flags.ts';
import { record } from '../../src/cli/table.ts';
import { invalid } from '../../src/core/errors.ts';
import { zoneLine } from '../../src/mail/dkim.ts';

const PUBLISH = 'Publish these DNS records';

export default class AccountSet extends ClientCommand {
  static override description = 'Change the settings of an account\n\nChanges apply at once.';
  static override examples = [
    '<%= config.bin %> account set 3 --timezone Europe/Berlin --window-start 8 --window-end 18',
    '<%= config.bin %> account set zoe@example.com --batch-min 1 --batch-max 4 --batch-interval 12 --daily-limit 60',
    '<%= config.bin %> account set 3 --ramp-start 5 --ramp-increment 3',
    '<%= config.bin %> account set 3 --dkim-domain example.com --dkim-selector outreach',
  ];
  static override args = { account: Args.string({ required: true, description: 'id or email address of the account' }) };
  static override flags = { ...settingFlags, ...dkimFlags };

  async run() {
    const { args, flags } = await this.parse(AccountSet);
    const settings = settingsFrom(flags);
    const dkim = dkimFrom(flags);
    const hasSettings = Object.values(settings).some((value) => value !== undefined);
    if (!hasSettings && dkim === undefined) throw invalid('nothing to change; see: outreach account set --help');
    const api = await this.client(flags);
    const id = await idOf(api, 'account', args.account);
    // The key first: an invalid one must be refused before any setting changes.
    const dns = dkim === undefined ? undefined : (await api.accountSetup.setDkim.mutate({ id, dkim })).data;
    const account = hasSettings ? await api.accountSetup.set.mutate({ id, settings }) : await api.accounts.get.query({ id });
    this.log(record(account));
    if (dns?.length) this.log(`\nIts emails are now signed. ${PUBLISH}, then check with: outreach doctor\n${dns.map(zoneLine).join('\n')}`);
    return dns === undefined ? account : { ...account, dkim_records: dns };
  }
}

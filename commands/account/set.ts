import { Args } from '@oclif/core';
import { settingFlags, settingsFrom } from '../../src/cli/account-flags.ts';
import { idArgument } from '../../src/cli/argument.ts';
import { OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';
import { dkimFlags, dkimFrom } from '../../src/cli/dkim-flags.ts';
import { record } from '../../src/cli/table.ts';
import { invalid } from '../../src/core/errors.ts';

const PUBLISH = 'Publish these DNS records';

export default class AccountSet extends OutreachCommand {
  static override description = 'Change the settings of an account\n\nChanges apply at once.';
  static override examples = [
    '<%= config.bin %> account set 3 --timezone Europe/Berlin --window-start 8 --window-end 18',
    '<%= config.bin %> account set 3 --batch-min 1 --batch-max 4 --batch-interval 12 --daily-limit 60',
    '<%= config.bin %> account set 3 --ramp-start 5 --ramp-increment 3',
    '<%= config.bin %> account set 3 --dkim-domain example.com --dkim-selector outreach',
  ];
  static override args = { id: Args.string({ required: true, description: 'id of the account' }) };
  static override flags = { ...settingFlags, ...dkimFlags, workspace: workspaceFlag };

  async run() {
    const { args, flags } = await this.parse(AccountSet);
    const id = idArgument(args.id, 'account');
    const settings = settingsFrom(flags);
    const dkim = dkimFrom(flags);
    const hasSettings = Object.values(settings).some((value) => value !== undefined);
    if (!hasSettings && dkim === undefined) throw invalid('nothing to change; see: outreach account set --help');
    const { getAccount, setAccount, setDkim } = await import('../../src/accounts/index.ts');
    const { zoneLine } = await import('../../src/mail/dkim.ts');
    const { account, record: dns } = await this.withApp(flags, async (app) => {
      const caller = await this.operatorIn(app, flags.workspace);
      // The key first: an invalid one must be refused before any setting changes.
      const signed = dkim === undefined ? undefined : await setDkim(app, caller, id, dkim);
      return { account: hasSettings ? await setAccount(app, caller, id, settings) : await getAccount(app.db, caller, id), record: signed };
    });
    this.log(record(account));
    if (dns?.length) this.log(`\nIts emails are now signed. ${PUBLISH}, then check with: outreach doctor\n${dns.map(zoneLine).join('\n')}`);
    return dns === undefined ? account : { ...account, dkim_records: dns };
  }
}

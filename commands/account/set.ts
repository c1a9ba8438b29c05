import { Args } from '@oclif/core';
import { settingFlags, settingsFrom } from '../../src/cli/account-flags.ts';
import { idArgument, OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';
import { record } from '../../src/cli/table.ts';
import { invalid } from '../../src/errors.ts';

export default class AccountSet extends OutreachCommand {
  static override description = 'change how a mailbox sends; it counts at once';
  static override examples = [
    '<%= config.bin %> account set 3 --timezone Europe/Berlin --window-start 8 --window-end 18',
    '<%= config.bin %> account set 3 --batch-min 1 --batch-max 4 --batch-interval 12 --daily-limit 60',
    '<%= config.bin %> account set 3 --ramp-start 5 --ramp-increment 3',
  ];
  static override args = { id: Args.string({ required: true, description: 'id of the account' }) };
  static override flags = { ...settingFlags, workspace: workspaceFlag };

  async run() {
    const { args, flags } = await this.parse(AccountSet);
    const id = idArgument(args.id, 'account');
    const settings = settingsFrom(flags);
    if (Object.values(settings).every((value) => value === undefined)) throw invalid('nothing to set; see: outreach account set --help');
    const { setAccount } = await import('../../src/accounts/index.ts');
    const account = await this.withApp(flags, async (app) => setAccount(app, await this.operatorIn(app, flags.workspace), id, settings));
    this.log(record(account));
    return account;
  }
}

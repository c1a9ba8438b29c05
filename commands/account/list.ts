import { OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';
import { table } from '../../src/cli/table.ts';

const ALL = { limit: 1_000_000, offset: 0 };

export default class AccountList extends OutreachCommand {
  static override description = 'List accounts';
  static override examples = ['<%= config.bin %> account list', '<%= config.bin %> account list --json'];
  static override flags = { workspace: workspaceFlag };

  async run() {
    const { flags } = await this.parse(AccountList);
    const { listAccounts } = await import('../../src/accounts/index.ts');
    const { data } = await this.withApp(flags, async (app) => listAccounts(app.db, await this.operatorIn(app, flags.workspace), ALL));
    this.log(
      table(data, ['id', 'email', 'provider', 'status', 'pause_reason', 'daily_send_limit', 'timezone', 'is_archived', 'connected_at']),
    );
    return { data };
  }
}

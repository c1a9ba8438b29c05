import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { listFlags } from '../../src/cli/list-output.ts';

const USUAL = ['id', 'email', 'provider', 'status', 'pause_reason', 'daily_send_limit', 'timezone', 'is_archived', 'connected_at'];

export default class AccountList extends ClientCommand {
  static override description = 'List accounts';
  static override examples = ['<%= config.bin %> account list', '<%= config.bin %> account list --columns email,status --csv'];
  static override flags = { ...listFlags };

  async run() {
    const { flags } = await this.parse(AccountList);
    const api = await this.client(flags);
    return this.list(flags, USUAL, (page) => api.accounts.list.query(page));
  }
}

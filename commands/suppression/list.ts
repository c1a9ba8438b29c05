import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { listFlags } from '../../src/cli/list-output.ts';

const DEFAULT_COLUMNS = ['id', 'email', 'reason', 'created_at'];

export default class SuppressionList extends ClientCommand {
  static override description = 'List the addresses and domains that are never emailed';
  static override examples = ['<%= config.bin %> suppression list', '<%= config.bin %> suppression list --all --csv --columns email'];
  static override flags = { ...listFlags };

  async run() {
    const { flags } = await this.parse(SuppressionList);
    const api = await this.client(flags);
    return this.list(flags, DEFAULT_COLUMNS, (page) => api.suppressions.list.query(page));
  }
}

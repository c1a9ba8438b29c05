import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { listFlags } from '../../src/cli/list-output.ts';

const DEFAULT_COLUMNS = ['id', 'name', 'contact_count', 'created_at'];

export default class ListList extends ClientCommand {
  static override description = 'List lists of contacts';
  static override examples = ['<%= config.bin %> list list', '<%= config.bin %> list list --all --csv --columns name,contact_count'];
  static override flags = { ...listFlags };

  async run() {
    const { flags } = await this.parse(ListList);
    const api = await this.client(flags);
    return this.list(flags, DEFAULT_COLUMNS, (page) => api.lists.list.query(page));
  }
}

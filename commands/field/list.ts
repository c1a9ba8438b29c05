import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { listFlags } from '../../src/cli/list-output.ts';

const DEFAULT_COLUMNS = ['id', 'key', 'name', 'field_type', 'created_at'];

export default class FieldList extends ClientCommand {
  static override description = 'List the custom fields of contacts\n\nThe key is what placeholders use, such as {{favourite_colour}}.';
  static override examples = ['<%= config.bin %> field list', '<%= config.bin %> field list --json --columns key'];
  static override flags = { ...listFlags };

  async run() {
    const { flags } = await this.parse(FieldList);
    const api = await this.client(flags);
    return this.list(flags, DEFAULT_COLUMNS, () => api.customFields.list.query({}));
  }
}

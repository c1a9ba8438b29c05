import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { listFlags } from '../../src/cli/list-output.ts';

const DEFAULT_COLUMNS = ['id', 'name', 'status', 'account_count', 'contacts', 'active', 'sent', 'replied'];

export default class RotationList extends ClientCommand {
  static override description = 'List rotation groups';
  static override examples = ['<%= config.bin %> rotation list', '<%= config.bin %> rotation list --all --csv'];
  static override flags = listFlags;

  async run() {
    const { flags } = await this.parse(RotationList);
    const api = await this.client(flags);
    return this.list(flags, DEFAULT_COLUMNS, (page) => api.rotations.list.query(page));
  }
}

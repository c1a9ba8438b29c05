import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { listFlags } from '../../src/cli/list-output.ts';

const DEFAULT_COLUMNS = [
  'id',
  'name',
  'prefix',
  'email',
  'workspace_name',
  'scopes',
  'created_at',
  'last_used_at',
  'expires_at',
  'revoked_at',
];

export default class KeyList extends ClientCommand {
  static override description =
    'List API keys\n\nOn this machine those of all workspaces, unless --workspace names one. The last use is accurate to the hour.';
  static override examples = ['<%= config.bin %> key list', '<%= config.bin %> key list --workspace Acme --csv'];
  static override flags = { ...listFlags };

  async run() {
    const { flags } = await this.parse(KeyList);
    const api = await this.client(flags);
    return this.list(flags, DEFAULT_COLUMNS, () => api.keys.list.query({}));
  }
}

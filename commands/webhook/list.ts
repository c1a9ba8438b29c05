import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { listFlags } from '../../src/cli/list-output.ts';

const DEFAULT_COLUMNS = ['id', 'name', 'url', 'is_enabled', 'disabled_reason', 'last_success_at', 'consecutive_failures'];

export default class WebhookList extends ClientCommand {
  static override description = 'List the webhooks of a workspace';
  static override examples = ['<%= config.bin %> webhook list'];
  static override flags = { ...listFlags };

  async run() {
    const { flags } = await this.parse(WebhookList);
    const api = await this.client(flags);
    return this.list(flags, DEFAULT_COLUMNS, (page) => api.webhooks.list.query(page));
  }
}

import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { listFlags } from '../../src/cli/list-output.ts';

export default class ReportLinks extends ClientCommand {
  static override description = 'List the links to reports, revoked and expired ones too';
  static override examples = ['<%= config.bin %> report links'];
  static override flags = listFlags;

  async run() {
    const { flags } = await this.parse(ReportLinks);
    const api = await this.client(flags);
    const columns = ['id', 'campaign_name', 'shows_names', 'created_at', 'expires_at', 'revoked_at'];
    return this.list(flags, columns, () => api.reportLinks.list.query({}));
  }
}

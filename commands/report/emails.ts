import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { listFlags } from '../../src/cli/list-output.ts';

export default class ReportEmails extends ClientCommand {
  static override description = `List the reports that users get by email each Monday

An admin sees those of all users, everybody else their own. "report" and "campaign report" set them with --email TO --weekly, and end them with --off.`;
  static override examples = ['<%= config.bin %> report emails'];
  static override flags = listFlags;

  async run() {
    const { flags } = await this.parse(ReportEmails);
    const api = await this.client(flags);
    return this.list(flags, ['email', 'campaign_id', 'campaign_name', 'next_at', 'timezone'], () => api.weeklyReports.list.query({}));
  }
}

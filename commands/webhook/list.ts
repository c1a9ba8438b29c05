import { OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';
import { table } from '../../src/cli/table.ts';

export default class WebhookList extends OutreachCommand {
  static override description = 'List the webhooks of a workspace';
  static override examples = ['<%= config.bin %> webhook list'];
  static override flags = { workspace: workspaceFlag };

  async run() {
    const { flags } = await this.parse(WebhookList);
    const { listWebhooks } = await import('../../src/webhooks/index.ts');
    // A workspace has at most 50 webhooks.
    const { data } = await this.withApp(flags, async (app) =>
      listWebhooks(app.db, await this.operatorIn(app, flags.workspace), { limit: 50, offset: 0 }),
    );
    this.log(table(data, ['id', 'name', 'url', 'is_enabled', 'disabled_reason', 'last_success_at', 'consecutive_failures']));
    return { data };
  }
}

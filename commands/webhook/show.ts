import { Args } from '@oclif/core';
import { idArgument, OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';
import { record } from '../../src/cli/table.ts';

export default class WebhookShow extends OutreachCommand {
  static override description = 'Show a webhook';
  static override examples = ['<%= config.bin %> webhook show 3'];
  static override args = { id: Args.string({ required: true, description: 'id of the webhook' }) };
  static override flags = { workspace: workspaceFlag };

  async run() {
    const { args, flags } = await this.parse(WebhookShow);
    const id = idArgument(args.id, 'webhook');
    const { getWebhook } = await import('../../src/webhooks/index.ts');
    const webhook = await this.withApp(flags, async (app) => getWebhook(app.db, await this.operatorIn(app, flags.workspace), id));
    this.log(record(webhook));
    return webhook;
  }
}

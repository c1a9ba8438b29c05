import { Args } from '@oclif/core';
import { idArgument, OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';

export default class WebhookTest extends OutreachCommand {
  static override description = 'Send a test message to a webhook and show the response';
  static override examples = ['<%= config.bin %> webhook test 3'];
  static override args = { id: Args.string({ required: true, description: 'id of the webhook' }) };
  static override flags = { workspace: workspaceFlag };

  async run() {
    const { args, flags } = await this.parse(WebhookTest);
    const id = idArgument(args.id, 'webhook');
    const { testWebhook } = await import('../../src/webhooks/index.ts');
    const delivery = await this.withApp(flags, async (app) => testWebhook(app, await this.operatorIn(app, flags.workspace), id));
    if (delivery.status === 'delivered')
      this.log(`Delivered: the receiver returned ${delivery.response_status} after ${delivery.duration_ms} ms.`);
    else this.logLine(`Not delivered: ${delivery.error}`);
    if (delivery.status !== 'delivered') process.exitCode = 1;
    return delivery;
  }
}

import { Args } from '@oclif/core';
import { idArgument, OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';

export default class WebhookReplay extends OutreachCommand {
  static override description = 'Deliver a message again\n\nThe message keeps its webhook-id.';
  static override examples = ['<%= config.bin %> webhook replay 991'];
  static override args = { delivery_id: Args.string({ required: true, description: 'id of the delivery' }) };
  static override flags = { workspace: workspaceFlag };

  async run() {
    const { args, flags } = await this.parse(WebhookReplay);
    const id = idArgument(args.delivery_id, 'delivery');
    const { redeliver } = await import('../../src/webhooks/index.ts');
    const delivery = await this.withApp(flags, async (app) => redeliver(app, await this.operatorIn(app, flags.workspace), id));
    this.log(`Delivery ${id} was queued again; see: outreach webhook deliveries ${delivery.webhook_id}`);
    return delivery;
  }
}

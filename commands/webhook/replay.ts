import { Args } from '@oclif/core';
import { idArgument } from '../../src/cli/argument.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';

export default class WebhookReplay extends ClientCommand {
  static override description = 'Deliver a message again\n\nThe message keeps its webhook-id.';
  static override examples = ['<%= config.bin %> webhook replay 991'];
  static override args = { delivery_id: Args.string({ required: true, description: 'id of the delivery' }) };

  async run() {
    const { args, flags } = await this.parse(WebhookReplay);
    const id = idArgument(args.delivery_id, 'delivery');
    const api = await this.client(flags);
    const delivery = await api.webhooks.redeliverOne.mutate({ delivery_id: id });
    this.tell(`Delivery ${id} was queued again; see: outreach webhook deliveries ${delivery.webhook_id}`);
    return delivery;
  }
}

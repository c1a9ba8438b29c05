import { Args } from '@oclif/core';
import { idArgument } from '../../src/cli/argument.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';

export default class WebhookTest extends ClientCommand {
  static override description = 'Send a test message to a webhook and show the response';
  static override examples = ['<%= config.bin %> webhook test 3'];
  static override args = { id: Args.string({ required: true, description: 'id of the webhook' }) };

  async run() {
    const { args, flags } = await this.parse(WebhookTest);
    const id = idArgument(args.id, 'webhook');
    const api = await this.client(flags);
    const delivery = await api.webhooks.test.mutate({ id });
    if (delivery.status === 'delivered')
      this.log(`Delivered: the receiver returned ${delivery.response_status} after ${delivery.duration_ms} ms.`);
    else this.logLine(`Not delivered: ${delivery.error}`);
    if (delivery.status !== 'delivered') process.exitCode = 1;
    return delivery;
  }
}

import { Args } from '@oclif/core';
import { idArgument } from '../../src/cli/argument.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';

export default class WebhookEnable extends ClientCommand {
  static override description = 'Enable a webhook\n\nIts pending messages are delivered.';
  static override examples = ['<%= config.bin %> webhook enable 3'];
  static override args = { id: Args.string({ required: true, description: 'id of the webhook' }) };

  async run() {
    const { args, flags } = await this.parse(WebhookEnable);
    const id = idArgument(args.id, 'webhook');
    const api = await this.client(flags);
    const webhook = await api.webhooks.update.mutate({ id, is_enabled: true });
    this.log(`Webhook ${id} was enabled.`);
    return webhook;
  }
}

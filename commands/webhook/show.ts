import { Args } from '@oclif/core';
import { idArgument } from '../../src/cli/argument.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { describeWebhook } from '../../src/cli/describe/webhook.ts';

export default class WebhookShow extends ClientCommand {
  static override description = 'Show a webhook';
  static override examples = ['<%= config.bin %> webhook show 3'];
  static override args = { id: Args.string({ required: true, description: 'id of the webhook' }) };

  async run() {
    const { args, flags } = await this.parse(WebhookShow);
    const id = idArgument(args.id, 'webhook');
    const api = await this.client(flags);
    const webhook = await api.webhooks.get.query({ id });
    this.draw(describeWebhook(webhook));
    return webhook;
  }
}

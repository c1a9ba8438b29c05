import { Args } from '@oclif/core';
import { idArgument } from '../../src/cli/argument.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';

export default class WebhookRemove extends ClientCommand {
  static override description = 'Remove a webhook';
  static override examples = ['<%= config.bin %> webhook remove 3'];
  static override args = { id: Args.string({ required: true, description: 'id of the webhook' }) };

  async run() {
    const { args, flags } = await this.parse(WebhookRemove);
    const id = idArgument(args.id, 'webhook');
    const api = await this.client(flags);
    await api.webhooks.delete.mutate({ id });
    this.log(`Webhook ${id} was removed.`);
    return { id };
  }
}

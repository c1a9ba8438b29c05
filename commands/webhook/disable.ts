import { Args } from '@oclif/core';
import { idArgument } from '../../src/cli/argument.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';

export default class WebhookDisable extends ClientCommand {
  static override description = 'Disable a webhook\n\nEvents that it misses can be replayed later.';
  static override examples = ['<%= config.bin %> webhook disable 3'];
  static override args = { id: Args.string({ required: true, description: 'id of the webhook' }) };

  async run() {
    const { args, flags } = await this.parse(WebhookDisable);
    const id = idArgument(args.id, 'webhook');
    const api = await this.client(flags);
    const webhook = await api.webhooks.update.mutate({ id, is_enabled: false });
    this.log(`Webhook ${id} was disabled.`);
    return webhook;
  }
}

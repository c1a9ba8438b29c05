import { Args } from '@oclif/core';
import { idArgument } from '../../src/cli/argument.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';

export default class WebhookRotateSecret extends ClientCommand {
  static override description = 'Replace the signing secret of a webhook\n\nFor 24 hours, messages are signed with the old secret too.';
  static override examples = ['<%= config.bin %> webhook rotate-secret 3'];
  static override args = { id: Args.string({ required: true, description: 'id of the webhook' }) };

  async run() {
    const { args, flags } = await this.parse(WebhookRotateSecret);
    const id = idArgument(args.id, 'webhook');
    const api = await this.client(flags);
    const webhook = await api.webhooks.rotateSecret.mutate({ id });
    this.log(`The new signing secret of webhook ${id}, shown only once:\n\n  ${webhook.secret}`);
    return webhook;
  }
}

import { Args } from '@oclif/core';
import { idArgument, OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';

export default class WebhookEnable extends OutreachCommand {
  static override description = 'Enable a webhook\n\nIts pending messages are delivered.';
  static override examples = ['<%= config.bin %> webhook enable 3'];
  static override args = { id: Args.string({ required: true, description: 'id of the webhook' }) };
  static override flags = { workspace: workspaceFlag };

  async run() {
    const { args, flags } = await this.parse(WebhookEnable);
    const id = idArgument(args.id, 'webhook');
    const { changeWebhook } = await import('../../src/webhooks/index.ts');
    const webhook = await this.withApp(flags, async (app) =>
      changeWebhook(app, await this.operatorIn(app, flags.workspace), id, { is_enabled: true }),
    );
    this.log(`Webhook ${id} was enabled.`);
    return webhook;
  }
}

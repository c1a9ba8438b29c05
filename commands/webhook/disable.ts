import { Args } from '@oclif/core';
import { idArgument, OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';

export default class WebhookDisable extends OutreachCommand {
  static override description = 'Disable a webhook\n\nEvents that it misses can be replayed later.';
  static override examples = ['<%= config.bin %> webhook disable 3'];
  static override args = { id: Args.string({ required: true, description: 'id of the webhook' }) };
  static override flags = { workspace: workspaceFlag };

  async run() {
    const { args, flags } = await this.parse(WebhookDisable);
    const id = idArgument(args.id, 'webhook');
    const { changeWebhook } = await import('../../src/webhooks/index.ts');
    const webhook = await this.withApp(flags, async (app) =>
      changeWebhook(app, await this.operatorIn(app, flags.workspace), id, { is_enabled: false }),
    );
    this.log(`Webhook ${id} was disabled.`);
    return webhook;
  }
}

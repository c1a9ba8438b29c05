import { Args } from '@oclif/core';
import { idArgument, OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';

export default class WebhookRemove extends OutreachCommand {
  static override description = 'Remove a webhook';
  static override examples = ['<%= config.bin %> webhook remove 3'];
  static override args = { id: Args.string({ required: true, description: 'id of the webhook' }) };
  static override flags = { workspace: workspaceFlag };

  async run() {
    const { args, flags } = await this.parse(WebhookRemove);
    const id = idArgument(args.id, 'webhook');
    const { deleteWebhook } = await import('../../src/webhooks/index.ts');
    await this.withApp(flags, async (app) => deleteWebhook(app, await this.operatorIn(app, flags.workspace), id));
    this.log(`Webhook ${id} was removed.`);
    return { id };
  }
}

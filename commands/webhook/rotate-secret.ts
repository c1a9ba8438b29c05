import { Args } from '@oclif/core';
import { idArgument, OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';

export default class WebhookRotateSecret extends OutreachCommand {
  static override description = 'Replace the signing secret of a webhook\n\nFor 24 hours, messages are signed with the old secret too.';
  static override examples = ['<%= config.bin %> webhook rotate-secret 3'];
  static override args = { id: Args.string({ required: true, description: 'id of the webhook' }) };
  static override flags = { workspace: workspaceFlag };

  async run() {
    const { args, flags } = await this.parse(WebhookRotateSecret);
    const id = idArgument(args.id, 'webhook');
    const { rotateWebhookSecret } = await import('../../src/webhooks/index.ts');
    const webhook = await this.withApp(flags, async (app) => rotateWebhookSecret(app, await this.operatorIn(app, flags.workspace), id));
    this.log(`The new signing secret of webhook ${id}, shown only once:\n\n  ${webhook.secret}`);
    return webhook;
  }
}

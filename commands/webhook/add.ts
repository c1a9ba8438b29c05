import { Args, Flags } from '@oclif/core';
import { idArgument, OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';
import { invalid } from '../../src/core/errors.ts';
import { nameText } from '../../src/fields/fields.ts';

export default class WebhookAdd extends OutreachCommand {
  static override description = `tell an address what happens in a workspace

It is sent signed POST requests (Standard Webhooks). The secret that verifies them is printed this once. Without --events it
is told everything but event.sent, event.opened and event.clicked, which must be named.`;
  static override examples = [
    '<%= config.bin %> webhook add https://example.com/hook',
    '<%= config.bin %> webhook add https://example.com/hook --events event.replied,event.bounced --campaigns 7,8 --name CRM',
  ];
  static override args = { url: Args.string({ required: true, description: 'https address of the receiver' }) };
  static override flags = {
    campaigns: Flags.string({ description: 'ids of campaigns, with commas; all when left out', helpValue: '7,8' }),
    events: Flags.string({ description: 'types, with commas; all but those of high volume when left out', helpValue: 'a,b' }),
    'include-body': Flags.boolean({ description: 'send replies whole, not only their first 500 characters' }),
    name: Flags.string({ description: 'what to call it; its host when left out', helpValue: 'N' }),
    workspace: workspaceFlag,
  };

  async run() {
    const { args, flags } = await this.parse(WebhookAdd);
    const input = {
      url: args.url,
      name: flags.name === undefined ? undefined : nameOption(flags.name),
      types: flags.events?.split(',').map((type) => type.trim()),
      campaign_ids: flags.campaigns?.split(',').map((id) => idArgument(id.trim(), 'campaign')),
      include_body: flags['include-body'],
    };
    const { createWebhook } = await import('../../src/webhooks/index.ts');
    const webhook = await this.withApp(flags, async (app) => createWebhook(app, await this.operatorIn(app, flags.workspace), input));
    this.log(`Webhook ${webhook.id} tells ${webhook.url}. Its secret, shown this once:\n\n  ${webhook.secret}`);
    this.log(`\nTry it with: outreach webhook test ${webhook.id}`);
    return webhook;
  }
}

function nameOption(text: string): string {
  const parsed = nameText.safeParse(text);
  if (!parsed.success) throw invalid(`--name: ${parsed.error.issues[0]?.message}`);
  return parsed.data;
}

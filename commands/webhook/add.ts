import { Args, Flags } from '@oclif/core';
import { idArgument, OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';
import { invalid } from '../../src/core/errors.ts';
import { nameText } from '../../src/fields/fields.ts';

export default class WebhookAdd extends OutreachCommand {
  static override description = `Add a webhook

Outreach posts signed JSON messages to the URL (Standard Webhooks). The signing secret is shown only once. By default a webhook receives \
every type except event.sent, event.opened and event.clicked, which must be listed in --events.`;
  static override examples = [
    '<%= config.bin %> webhook add https://example.com/hook',
    '<%= config.bin %> webhook add https://example.com/hook --events event.replied,event.bounced --campaigns 7,8 --name CRM',
  ];
  static override args = { url: Args.string({ required: true, description: 'https URL of the receiver' }) };
  static override flags = {
    campaigns: Flags.string({ description: 'ids of campaigns, separated by commas (default: all)', helpValue: '7,8' }),
    events: Flags.string({
      description: 'message types, separated by commas (default: all except the high-volume types)',
      helpValue: 'a,b',
    }),
    'include-body': Flags.boolean({ description: 'include the full text of replies, not only the first 500 characters' }),
    name: Flags.string({ description: 'name of the webhook (default: the host name in the URL)', helpValue: 'N' }),
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
    this.log(`Webhook ${webhook.id} created; it posts to ${webhook.url}. Its signing secret, shown only once:\n\n  ${webhook.secret}`);
    this.log(`\nTo test it, run: outreach webhook test ${webhook.id}`);
    return webhook;
  }
}

function nameOption(text: string): string {
  const parsed = nameText.safeParse(text);
  if (!parsed.success) throw invalid(`--name: ${parsed.error.issues[0]?.message}`);
  return parsed.data;
}

import { Args, Flags } from '@oclif/core';
import { idArgument } from '../../src/cli/argument.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';

export default class WebhookAdd extends ClientCommand {
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
  };

  async run() {
    const { args, flags } = await this.parse(WebhookAdd);
    const input = {
      url: args.url,
      name: flags.name,
      types: flags.events?.split(',').map((type) => type.trim()),
      campaign_ids: flags.campaigns?.split(',').map((id) => idArgument(id.trim(), 'campaign')),
      include_body: flags['include-body'],
    };
    const api = await this.client(flags);
    const webhook = await api.webhooks.create.mutate(input);
    this.log(`Webhook ${webhook.id} created; it posts to ${webhook.url}. Its signing secret, shown only once:\n\n  ${webhook.secret}`);
    this.tell(`To test it, run: outreach webhook test ${webhook.id}`);
    return webhook;
  }
}

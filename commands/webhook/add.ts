import { Args, Flags } from '@oclif/core';
import { idArgument } from '../../src/cli/argument.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';

export default class WebhookAdd extends ClientCommand {
  static override description = `Add a webhook

Outreach posts signed JSON messages to the URL (Standard Webhooks). The signing secret is shown only once. By default a webhook receives \
every type except event.sent, event.opened and event.clicked, which must be listed in --events.

With --format it sends notices to a chat: the URL is that of an incoming webhook of Slack, Teams or Discord. By default it then gets \
replies and labels, accounts that stop, reach their daily limit while emails wait or change their health, and campaigns that end; "webhook test" sends a notice at once.`;
  static override examples = [
    '<%= config.bin %> webhook add https://example.com/hook',
    '<%= config.bin %> webhook add https://example.com/hook --events event.replied,event.bounced --campaigns 7,8 --name CRM',
    '<%= config.bin %> webhook add https://hooks.slack.com/services/T0/B0/X --format slack --labels interested,meeting --quiet-hours 20-8',
  ];
  static override args = { url: Args.string({ required: true, description: 'https URL of the receiver' }) };
  static override flags = {
    campaigns: Flags.string({ description: 'ids of campaigns, separated by commas (default: all)', helpValue: '7,8' }),
    events: Flags.string({
      description: 'message types, separated by commas (default: all except the high-volume types)',
      helpValue: 'a,b',
    }),
    format: Flags.option({
      options: ['json', 'slack', 'teams', 'discord'] as const,
      description: 'signed JSON for a program, or notices for a chat',
      default: 'json',
    })(),
    'include-body': Flags.boolean({ description: 'include the full text of replies, not only the first 500 characters' }),
    labels: Flags.string({ description: 'only replies with one of these labels, separated by commas (default: all)', helpValue: 'L' }),
    name: Flags.string({ description: 'name of the webhook (default: the host name in the URL)', helpValue: 'N' }),
    'quiet-hours': Flags.string({ description: 'hours in the zone of the workspace in which its messages wait', helpValue: '22-7' }),
  };

  async run() {
    const { args, flags } = await this.parse(WebhookAdd);
    const input = {
      url: args.url,
      name: flags.name,
      types: flags.events?.split(',').map((type) => type.trim()),
      campaign_ids: flags.campaigns?.split(',').map((id) => idArgument(id.trim(), 'campaign')),
      include_body: flags['include-body'],
      format: flags.format,
      labels: flags.labels?.split(',').map((label) => label.trim()),
      quiet_hours: flags['quiet-hours'],
    };
    const api = await this.client(flags);
    const webhook = await api.webhooks.create.mutate(input);
    const created = `Webhook ${webhook.id} created; it posts to ${webhook.url}.`;
    // Notices to a chat are not signed.
    this.log(webhook.format === 'json' ? `${created} Its signing secret, shown only once:\n\n  ${webhook.secret}` : created);
    this.tell(`To test it, run: outreach webhook test ${webhook.id}`);
    return webhook;
  }
}

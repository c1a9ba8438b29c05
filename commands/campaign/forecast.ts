import { Flags } from '@oclif/core';
import { campaignArgument } from '../../src/cli/client/campaign-argument.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { table } from '../../src/cli/table.ts';

export default class CampaignForecast extends ClientCommand {
  static override description =
    'Forecast when each email of a campaign will be sent\n\nAssumes that nobody replies and nothing is changed.';
  static override examples = ['<%= config.bin %> campaign forecast 7 --limit 20'];
  static override args = { campaign: campaignArgument };
  static override flags = {
    limit: Flags.integer({ description: 'maximum number of emails', default: 50, min: 1, max: 10_000 }),
  };

  async run() {
    const { args, flags } = await this.parse(CampaignForecast);
    const api = await this.client(flags);
    const id = await idOf(api, 'campaign', args.campaign);
    const { data: emails } = await api.sending.forecast.query({ id, limit: flags.limit });
    this.log(
      emails.length === 0
        ? `No emails will be sent; to see why, run: outreach campaign explain ${id}`
        : table(emails, ['send_at', 'email', 'step_order', 'account_id']),
    );
    return { data: emails };
  }
}

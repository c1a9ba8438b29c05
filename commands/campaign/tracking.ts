import { campaignArgument } from '../../src/cli/client/campaign-argument.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { trackingOf } from '../../src/cli/client/tracking-of-group.ts';
import { printTable } from '../../src/cli/print-table.ts';

export default class CampaignTracking extends ClientCommand {
  static override description = `Count opens and clicks of a campaign, by people and by machines

Statistics and events count people only. Here, security \
scanners, prefetching image proxies and other machines are listed with the reason they were recognised. A rotation group is counted as one campaign.`;
  static override examples = ['<%= config.bin %> campaign tracking 7'];
  static override args = { campaign: campaignArgument };

  async run() {
    const { args, flags } = await this.parse(CampaignTracking);
    const api = await this.client(flags);
    const id = await idOf(api, 'campaign', args.campaign);
    const data = await trackingOf(api, id);
    if (data.length === 0) this.log('Nobody has opened or clicked yet.');
    else printTable(this, data, ['kind', 'by', 'hits', 'contacts', 'last_at']);
    return { data };
  }
}

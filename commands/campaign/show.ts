import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { record } from '../../src/cli/table.ts';

export default class CampaignShow extends ClientCommand {
  static override description = 'Show a campaign';
  static override examples = ['<%= config.bin %> campaign show 7', '<%= config.bin %> campaign show "Spring fair" --json'];
  static override args = { campaign: Args.string({ required: true, description: 'id or name of the campaign' }) };

  async run() {
    const { args, flags } = await this.parse(CampaignShow);
    const api = await this.client(flags);
    const campaign = await api.campaigns.get.query({ id: await idOf(api, 'campaign', args.campaign) });
    this.log(record(campaign));
    this.next(`campaign explain ${campaign.id}`);
    return campaign;
  }
}

import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { MEMBER_COLUMNS, rotationOf } from '../../src/cli/client/rotation.ts';
import { record, table } from '../../src/cli/table.ts';

export default class CampaignShow extends ClientCommand {
  static override description = 'Show a campaign and its rotation group, if it is in one';
  static override examples = ['<%= config.bin %> campaign show 7', '<%= config.bin %> campaign show "Spring fair" --json'];
  static override args = { campaign: Args.string({ required: true, description: 'id or name of the campaign' }) };

  async run() {
    const { args, flags } = await this.parse(CampaignShow);
    const api = await this.client(flags);
    const campaign = await api.campaigns.get.query({ id: await idOf(api, 'campaign', args.campaign) });
    const group = await rotationOf(api, campaign.id);
    const rotation = group === undefined ? null : await api.rotations.get.query({ id: group.id });
    this.log(record(campaign));
    if (rotation !== null) {
      const { members, ...sums } = rotation;
      this.log(`\nSends with rotation group ${rotation.id}:\n${record(sums)}\n\n${table(members, MEMBER_COLUMNS)}`);
    }
    this.next(`campaign explain ${campaign.id}`);
    return { ...campaign, rotation };
  }
}

import { Flags } from '@oclif/core';
import { campaignFlags } from '../../src/cli/campaign-flags.ts';
import { campaignArgument } from '../../src/cli/client/campaign-argument.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { rotationOf } from '../../src/cli/client/rotation.ts';
import { campaignWithOptions, changeFrom, settingsIn } from '../../src/cli/client/set-campaign.ts';
import { changedText } from '../../src/cli/describe/changed.ts';
import { say } from '../../src/cli/terminal.ts';
import { quantity } from '../../src/core/english.ts';

export default class CampaignSet extends ClientCommand {
  static override description = `Change the settings of a campaign

Changes apply at once. In a rotation group they apply to all its campaigns, except for --account.`;
  static override examples = [
    '<%= config.bin %> campaign set 7 --hours 9-12 --days mon-thu',
    '<%= config.bin %> campaign set "Spring fair" --auto-reopen false --track-opens false',
  ];
  static override args = { campaign: campaignArgument };
  static override flags = {
    ...campaignFlags,
    account: Flags.string({ description: 'id or email address of the account that sends', helpValue: 'A' }),
    name: Flags.string({ description: 'new name', helpValue: 'N' }),
  };

  async run() {
    const { args, flags } = await this.parse(CampaignSet);
    const change = changeFrom(flags, 'campaign set');
    const api = await this.client(flags);
    const id = await idOf(api, 'campaign', args.campaign);
    await change(api, id);
    const [campaign, group] = await Promise.all([campaignWithOptions(api, id), rotationOf(api, id)]);
    this.draw(changedText(`"${campaign.name}" (campaign ${id}) was changed.`, settingsIn(flags)));
    if (group !== undefined && !this.jsonEnabled())
      say(`Changed in ${quantity(group.account_count, 'campaign')} of the group; each keeps its own account.`);
    return campaign;
  }
}

import { campaignArgument } from '../../src/cli/client/campaign-argument.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { groupNote } from '../../src/cli/client/rotation.ts';

export default class CampaignUnarchive extends ClientCommand {
  static override description = 'Unarchive a campaign, which stays paused';
  static override examples = ['<%= config.bin %> campaign unarchive 7', '<%= config.bin %> campaign unarchive "Spring fair"'];
  static override args = { campaign: campaignArgument };

  async run() {
    const { args, flags } = await this.parse(CampaignUnarchive);
    const api = await this.client(flags);
    const campaign = await api.campaigns.unarchive.mutate({ id: await idOf(api, 'campaign', args.campaign) });
    const note = await groupNote(this, api, campaign.id);
    this.tell(`Campaign ${campaign.id} "${campaign.name}"${note} was unarchived; to send, run: outreach campaign activate ${campaign.id}`);
    return campaign;
  }
}

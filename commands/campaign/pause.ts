import { campaignArgument } from '../../src/cli/client/campaign-argument.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { groupNote } from '../../src/cli/client/rotation.ts';

export default class CampaignPause extends ClientCommand {
  static override description = 'Pause a campaign before its next email\n\nIn a rotation group, all its campaigns are paused.';
  static override examples = ['<%= config.bin %> campaign pause 7', '<%= config.bin %> campaign pause "Spring fair"'];
  static override args = { campaign: campaignArgument };

  async run() {
    const { args, flags } = await this.parse(CampaignPause);
    const api = await this.client(flags);
    const campaign = await api.campaigns.pause.mutate({ id: await idOf(api, 'campaign', args.campaign) });
    const note = await groupNote(this, api, campaign.id);
    this.tell(`Campaign ${campaign.id} "${campaign.name}"${note} is paused; to continue, run: outreach campaign resume ${campaign.id}`);
    return campaign;
  }
}

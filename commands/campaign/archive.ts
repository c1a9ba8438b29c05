import { campaignArgument } from '../../src/cli/client/campaign-argument.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { groupNote } from '../../src/cli/client/rotation.ts';

export default class CampaignArchive extends ClientCommand {
  static override description = 'Pause a campaign and hide it from the list';
  static override examples = ['<%= config.bin %> campaign archive 7', '<%= config.bin %> campaign archive "Spring fair"'];
  static override args = { campaign: campaignArgument };

  async run() {
    const { args, flags } = await this.parse(CampaignArchive);
    const api = await this.client(flags);
    const campaign = await api.campaigns.archive.mutate({ id: await idOf(api, 'campaign', args.campaign) });
    const note = await groupNote(this, api, campaign.id);
    this.logLine(`Campaign ${campaign.id} "${campaign.name}"${note} is archived.`);
    return campaign;
  }
}

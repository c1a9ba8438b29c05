import { Flags } from '@oclif/core';
import { campaignArgument } from '../../src/cli/client/campaign-argument.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';

export default class CampaignCopy extends ClientCommand {
  static override description = 'Copy a campaign as a draft\n\nCopies its settings and steps, but no contacts.';
  static override examples = ['<%= config.bin %> campaign copy 7', '<%= config.bin %> campaign copy "Spring fair" --name "Autumn fair"'];
  static override args = { campaign: campaignArgument };
  static override flags = { name: Flags.string({ description: 'name of the copy (default: the same with " (copy)")', helpValue: 'N' }) };

  async run() {
    const { args, flags } = await this.parse(CampaignCopy);
    const api = await this.client(flags);
    const campaign = await api.campaigns.copy.mutate({ id: await idOf(api, 'campaign', args.campaign), name: flags.name });
    this.logLine(`Campaign ${campaign.id} "${campaign.name}" was created as a draft.`);
    this.next(`campaign enrol ${campaign.id} --list LIST`);
    return campaign;
  }
}

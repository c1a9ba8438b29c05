import { campaignArgument } from '../../src/cli/client/campaign-argument.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { groupNote } from '../../src/cli/client/rotation.ts';
import { confirm, yesFlag } from '../../src/cli/confirm.ts';

export default class CampaignDelete extends ClientCommand {
  static override description = 'Delete a campaign and stop its emails\n\nTo undo, run: outreach trash restore campaigns ID';
  static override examples = ['<%= config.bin %> campaign delete 7', '<%= config.bin %> campaign delete "Spring fair" --yes'];
  static override args = { campaign: campaignArgument };
  static override flags = { yes: yesFlag };

  async run() {
    const { args, flags } = await this.parse(CampaignDelete);
    const api = await this.client(flags);
    const { id, name } = await api.campaigns.get.query({ id: await idOf(api, 'campaign', args.campaign) });
    const note = await groupNote(this, api, id);
    await confirm(flags, `Delete campaign ${id} "${name}"${note}?`, 'nothing was deleted');
    await api.campaigns.delete.mutate({ id });
    this.tell(`Campaign ${id}${note} was deleted; to undo, run: outreach trash restore campaigns ${id}`);
    return { id, deleted: true };
  }
}

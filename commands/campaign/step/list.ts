import { campaignArgument } from '../../../src/cli/client/campaign-argument.ts';
import { ClientCommand } from '../../../src/cli/client/client-command.ts';
import { idOf } from '../../../src/cli/client/names.ts';
import { listFlags } from '../../../src/cli/list-output.ts';

const USUAL = ['step_order', 'kind', 'wait_days', 'subject', 'subject_b', 'attachments'];

export default class CampaignStepList extends ClientCommand {
  static override description = 'List the steps of a campaign\n\nTo see them with their bodies, run: outreach campaign preview';
  static override examples = ['<%= config.bin %> campaign step list 7', '<%= config.bin %> campaign step list "Spring fair" --json'];
  static override args = { campaign: campaignArgument };
  static override flags = { ...listFlags };

  async run() {
    const { args, flags } = await this.parse(CampaignStepList);
    const api = await this.client(flags);
    const id = await idOf(api, 'campaign', args.campaign);
    return this.list(flags, USUAL, async () => {
      const { data } = await api.steps.list.query({ id });
      const attached = await Promise.all(data.map((step) => api.attachments.list.query({ id, step_id: step.id })));
      return { data: data.map((step, index) => ({ ...step, attachments: attached[index]?.data.map(({ name }) => name) ?? [] })) };
    });
  }
}

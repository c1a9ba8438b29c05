import { campaignArgument } from '../../../src/cli/client/campaign-argument.ts';
import { ClientCommand } from '../../../src/cli/client/client-command.ts';
import { findStep, stepArgument } from '../../../src/cli/client/find-step.ts';
import { idOf } from '../../../src/cli/client/names.ts';
import { groupNote } from '../../../src/cli/client/rotation.ts';
import { confirm, yesFlag } from '../../../src/cli/confirm.ts';

export default class CampaignStepDelete extends ClientCommand {
  static override description = 'Delete a step of a campaign; its contacts continue with the next one';
  static override examples = ['<%= config.bin %> campaign step delete 7 2 --yes'];
  static override args = { campaign: campaignArgument, step: stepArgument };
  static override flags = { yes: yesFlag };

  async run() {
    const { args, flags } = await this.parse(CampaignStepDelete);
    const api = await this.client(flags);
    const id = await idOf(api, 'campaign', args.campaign);
    const step = await findStep(api, id, args.step);
    const note = await groupNote(this, api, id);
    await confirm(flags, `Delete step ${step.step_order} of campaign ${id}${note}?`, 'nothing was deleted');
    await api.steps.delete.mutate({ id, step_id: step.id });
    this.log(`Step ${step.step_order} of campaign ${id}${note} was deleted.`);
    return { campaign_id: id, step_order: step.step_order, deleted: true };
  }
}

import { Args } from '@oclif/core';
import { campaignArgument } from '../../../src/cli/client/campaign-argument.ts';
import { ClientCommand } from '../../../src/cli/client/client-command.ts';
import { findStep, placeOf, stepArgument } from '../../../src/cli/client/find-step.ts';
import { idOf } from '../../../src/cli/client/names.ts';
import { stepsTable } from '../../../src/cli/describe/steps.ts';

export default class CampaignStepMove extends ClientCommand {
  static override description =
    'Move a step to another place of the sequence\n\nPossible only while no contact has reached any of the steps that would change places.';
  static override examples = ['<%= config.bin %> campaign step move 7 3 1'];
  static override args = {
    campaign: campaignArgument,
    step: stepArgument,
    place: Args.string({ required: true, description: 'its new number' }),
  };

  async run() {
    const { args, flags } = await this.parse(CampaignStepMove);
    const place = placeOf(args.place);
    const api = await this.client(flags);
    const id = await idOf(api, 'campaign', args.campaign);
    const { id: step_id } = await findStep(api, id, args.step);
    const steps = await api.steps.move.mutate({ id, step_id, step_order: place });
    if (!this.jsonEnabled()) this.draw(await stepsTable(api, id, steps.data));
    return steps;
  }
}

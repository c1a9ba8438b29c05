import { Args } from '@oclif/core';
import { campaignArgument } from '../../../src/cli/client/campaign-argument.ts';
import { ClientCommand } from '../../../src/cli/client/client-command.ts';
import { findStep, stepArgument } from '../../../src/cli/client/find-step.ts';
import { idOf } from '../../../src/cli/client/names.ts';
import { groupNote } from '../../../src/cli/client/rotation.ts';
import { invalid } from '../../../src/core/errors.ts';

export default class CampaignStepDetach extends ClientCommand {
  static override description = 'Remove attachments from a step';
  static override examples = ['<%= config.bin %> campaign step detach 7 1 prices.pdf'];
  static override args = {
    campaign: campaignArgument,
    step: stepArgument,
    name: Args.string({ required: true, multiple: true, description: 'name of the attachment; several may be named' }),
  };

  async run() {
    const { args, flags } = await this.parse(CampaignStepDetach);
    const api = await this.client(flags);
    const id = await idOf(api, 'campaign', args.campaign);
    const step = await findStep(api, id, args.step);
    const { data } = await api.attachments.list.query({ id, step_id: step.id });
    const gone = args.name.map((name) => {
      const found = data.find((each) => each.name.toLowerCase() === name.toLowerCase());
      if (found !== undefined) return found;
      const names = data.map((each) => each.name).join(', ');
      throw invalid(`step ${step.step_order} has no attachment "${name}"${names === '' ? '' : `; it has ${names}`}`);
    });
    const named = ({ name }: { name: string }) => name;
    await this.oneByOne(gone, named, async ({ id: attachment_id, name }) => {
      await api.attachments.delete.mutate({ id, step_id: step.id, attachment_id });
      this.log(`${name} was removed from step ${step.step_order} of campaign ${id}${await groupNote(this, api, id)}.`);
    });
    return { campaign_id: id, step_order: step.step_order, detached: gone.map(({ name }) => name) };
  }
}

import { Args } from '@oclif/core';
import { campaignArgument } from '../../../src/cli/client/campaign-argument.ts';
import { ClientCommand } from '../../../src/cli/client/client-command.ts';
import { findStep, stepArgument } from '../../../src/cli/client/find-step.ts';
import { idOf } from '../../../src/cli/client/names.ts';
import { groupNote } from '../../../src/cli/client/rotation.ts';
import { fileSizeText } from '../../../src/core/english.ts';

export default class CampaignStepAttach extends ClientCommand {
  static override description = `Attach files to the emails of a step

A step has at most 10 attachments, of 15 MiB in all. Programs and scripts are refused. Every email of the step that has not been sent yet has \
them, in both groups of an A/B test.`;
  static override examples = [
    '<%= config.bin %> campaign step attach 7 1 prices.pdf',
    '<%= config.bin %> campaign step attach "Spring fair" 2 offer.pdf terms.pdf',
  ];
  static override args = {
    campaign: campaignArgument,
    step: stepArgument,
    file: Args.string({ required: true, multiple: true, description: 'file to attach; several may be named' }),
  };

  async run() {
    const { args, flags } = await this.parse(CampaignStepAttach);
    const { uploadFile } = await import('../../../src/cli/client/upload-file.ts');
    const api = await this.client(flags);
    const id = await idOf(api, 'campaign', args.campaign);
    const step = await findStep(api, id, args.step);
    const attachments = await this.oneByOne(args.file, String, async (path) => {
      const { name, sha256 } = await uploadFile(flags, this.target(flags), path);
      const attached = await api.attachments.create.mutate({ id, step_id: step.id, name, sha256 });
      this.log(
        `${attached.name} (${fileSizeText(attached.size)}) was attached to step ${step.step_order} of campaign ${id}${await groupNote(this, api, id)}.`,
      );
      return attached;
    });
    this.next(`campaign test ${id} --to YOU@EXAMPLE.COM`);
    return { campaign_id: id, step_order: step.step_order, attachments };
  }
}

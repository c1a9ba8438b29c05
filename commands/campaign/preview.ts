import { Args, Flags } from '@oclif/core';
import { idArgument, OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';
import { quantity } from '../../src/core/english.ts';

export default class CampaignPreview extends OutreachCommand {
  static override description = `Show every step as one contact would receive it

Shows both variants of an A/B test and sends nothing. Warns about unknown placeholders, replies that nobody reads, and sending windows that never overlap.`;
  static override examples = ['<%= config.bin %> campaign preview 7 --contact 42'];
  static override args = { id: Args.string({ required: true, description: 'id of the campaign' }) };
  static override flags = {
    contact: Flags.string({ required: true, description: 'id of the contact', helpValue: 'ID' }),
    workspace: workspaceFlag,
  };

  async run() {
    const { args, flags } = await this.parse(CampaignPreview);
    const id = idArgument(args.id, 'campaign');
    const contactId = idArgument(flags.contact, 'contact');
    const { previewCampaign } = await import('../../src/campaigns/index.ts');
    const preview = await this.withApp(flags, async (app) =>
      previewCampaign(app, await this.operatorIn(app, flags.workspace), id, contactId),
    );
    for (const step of preview.steps) {
      const wait = step.step_order === 1 ? '' : `, ${quantity(step.wait_days, 'day')} later`;
      this.log(`--- step ${step.step_order} (${step.kind}${wait}), variant ${step.variant}`);
      if (step.subject !== null) this.logLine(`Subject: ${step.subject}`);
      this.log(`\n${step.body_html}\n`);
    }
    if (preview.steps.length === 0) this.log('The campaign has no steps.');
    for (const warning of preview.warnings) this.logLine(`Warning: ${warning}`);
    return preview;
  }
}

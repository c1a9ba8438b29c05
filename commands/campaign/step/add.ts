import { Flags } from '@oclif/core';
import { bodyFlags, stepFrom } from '../../../src/cli/body-flags.ts';
import { campaignArgument } from '../../../src/cli/client/campaign-argument.ts';
import { ClientCommand } from '../../../src/cli/client/client-command.ts';
import { idOf } from '../../../src/cli/client/names.ts';
import { groupNote } from '../../../src/cli/client/rotation.ts';
import { withTemplate } from '../../../src/cli/client/step-template.ts';
import { invalid } from '../../../src/core/errors.ts';

export default class CampaignStepAdd extends ClientCommand {
  static override description = `Add a step at the end of a campaign

The body is HTML from --body-file, or text from --text-file, whose paragraphs are separated by empty lines. A step with --call is a call for a person to make.`;
  /** Written out, because oclif prints empty alternatives for a flag that excludes several others. */
  static override usage =
    'campaign step add CAMPAIGN [--json] [--debug] [--data-dir DIR] [--key K] [--url U] [--workspace W]' +
    ' [--subject S] [--wait TIME] [--call NOTES | --template T | --body-file FILE | --text-file FILE] [--subject-b S] [--body-file-b FILE | --text-file-b FILE]';
  static override examples = [
    '<%= config.bin %> campaign step add 7 --subject "A question, {{first_name}}" --text-file step1.txt',
    '<%= config.bin %> campaign step add 7 --wait 3 --body-file step2.html',
    '<%= config.bin %> campaign step add 7 --wait 2 --call "Ask for Ms Meier"',
  ];
  static override args = { campaign: campaignArgument };
  static override flags = {
    ...bodyFlags,
    call: Flags.string({
      description: 'notes for a call, instead of an email',
      helpValue: 'NOTES',
      exclusive: ['body-file', 'template', 'text-file'],
    }),
  };

  async run() {
    const { args, flags } = await this.parse(CampaignStepAdd);
    const given = await stepFrom(flags);
    if ((flags.call ?? flags.template ?? given.body_html) === undefined)
      throw invalid('the step needs a body; pass --body-file, --text-file, --template or --call');
    const api = await this.client(flags);
    const { body_html: html, ...step } = await withTemplate(api, flags.template, given);
    const id = await idOf(api, 'campaign', args.campaign);
    const kind = flags.call === undefined ? 'email' : 'call';
    const added = await api.steps.create.mutate({ id, ...step, body_html: flags.call ?? html ?? '', kind });
    this.log(`Step ${added.step_order} was added to campaign ${id}${await groupNote(this, api, id)}.`);
    if (!this.tellsNext) return added;
    const { contact_count } = await api.campaigns.get.query({ id });
    this.next(contact_count === 0 ? `campaign enrol ${id} --list LIST` : `campaign check ${id}`);
    return added;
  }
}

import { Flags } from '@oclif/core';
import { bodyFlags, stepFrom } from '../../../src/cli/body-flags.ts';
import { hasAny } from '../../../src/cli/campaign-flags.ts';
import { campaignArgument } from '../../../src/cli/client/campaign-argument.ts';
import { ClientCommand } from '../../../src/cli/client/client-command.ts';
import { findStep, stepArgument } from '../../../src/cli/client/find-step.ts';
import { idOf } from '../../../src/cli/client/names.ts';
import { groupNote } from '../../../src/cli/client/rotation.ts';
import { withTemplate } from '../../../src/cli/client/step-template.ts';
import { changedText } from '../../../src/cli/describe/changed.ts';
import { invalid } from '../../../src/core/errors.ts';
import { type Wait, waitText } from '../../../src/core/wait-text.ts';

export default class CampaignStepSet extends ClientCommand {
  static override description = 'Change a step of a campaign\n\nChanges apply to every email that has not been sent yet.';
  /** Written out, because oclif prints empty alternatives for a flag that excludes several others. */
  static override usage =
    'campaign step set CAMPAIGN STEP [--json] [--debug] [--data-dir DIR] [--key K] [--url U] [--workspace W]' +
    ' [--subject S] [--wait TIME] [--call NOTES | --template T | --body-file FILE | --text-file FILE] [--without-b | [--subject-b S] [--body-file-b FILE | --text-file-b FILE]]';
  static override examples = [
    '<%= config.bin %> campaign step set 7 1 --subject "Another question"',
    '<%= config.bin %> campaign step set 7 2 --wait 5 --text-file step2.txt',
    '<%= config.bin %> campaign step set 7 1 --without-b',
  ];
  static override args = { campaign: campaignArgument, step: stepArgument };
  static override flags = {
    ...bodyFlags,
    call: Flags.string({ description: 'new notes of a call', helpValue: 'NOTES', exclusive: ['body-file', 'template', 'text-file'] }),
    'without-b': Flags.boolean({ description: 'remove variant B', exclusive: ['subject-b', 'body-file-b', 'text-file-b'] }),
  };

  async run() {
    const { args, flags } = await this.parse(CampaignStepSet);
    const given = { ...(await stepFrom(flags)), ...(flags['without-b'] ? { subject_b: null, body_html_b: null } : {}) };
    if (!hasAny(given) && (flags.call ?? flags.template) === undefined)
      throw invalid('nothing to change; see: outreach campaign step set --help');
    const api = await this.client(flags);
    const { body_html: html, ...fields } = await withTemplate(api, flags.template, given);
    const patch = { ...fields, body_html: flags.call ?? html };
    const id = await idOf(api, 'campaign', args.campaign);
    const step = await findStep(api, id, args.step);
    const isCall = step.kind === 'call';
    if (flags.call !== undefined && !isCall) throw invalid(`--call: step ${step.step_order} is an email; pass --body-file or --text-file`);
    if (html !== undefined && isCall) throw invalid(`step ${step.step_order} is a call; pass --call`);
    const changed = await api.steps.update.mutate({ id, step_id: step.id, ...patch });
    const sentence = `Step ${changed.step_order} of campaign ${id}${await groupNote(this, api, id)} was changed.`;
    this.draw(changedText(sentence, newSettings(flags, given)));
    return changed;
  }
}

/** Returns the changes for a person to read; for a body, the file that it comes from. */
function newSettings(flags: Readonly<Record<string, unknown>>, { wait_days, ...wait }: Partial<Wait>): Record<string, unknown> {
  const { subject, call, template, 'subject-b': subject_b } = flags;
  const bodies = ['body-file', 'text-file', 'body-file-b', 'text-file-b'].map((name) => [
    name,
    flags[name] === '-' ? 'stdin' : flags[name],
  ]);
  return {
    ...{ subject, subject_b, call, template, ...Object.fromEntries(bodies) },
    variant_b: flags['without-b'] ? 'removed' : undefined,
    wait: wait_days === undefined ? undefined : waitText({ wait_days, ...wait }),
  };
}

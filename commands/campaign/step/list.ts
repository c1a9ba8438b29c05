import type { Api } from '../../../src/cli/client/api.ts';
import { campaignArgument } from '../../../src/cli/client/campaign-argument.ts';
import { ClientCommand } from '../../../src/cli/client/client-command.ts';
import type { Step } from '../../../src/cli/client/find-step.ts';
import { idOf } from '../../../src/cli/client/names.ts';
import { listFlags } from '../../../src/cli/list-output.ts';
import { waitText } from '../../../src/core/wait-text.ts';
import { stepSubject } from '../../../src/terminal/step-subject.ts';

const DEFAULT_COLUMNS = ['step_order', 'kind', 'wait', 'subject', 'subject_b', 'attachments'];

export default class CampaignStepList extends ClientCommand {
  static override description = 'List the steps of a campaign\n\nTo see them with their bodies, run: outreach campaign preview';
  static override examples = ['<%= config.bin %> campaign step list 7', '<%= config.bin %> campaign step list "Spring fair" --json'];
  static override args = { campaign: campaignArgument };
  static override flags = { ...listFlags };

  async run() {
    const { args, flags } = await this.parse(CampaignStepList);
    const api = await this.client(flags);
    const id = await idOf(api, 'campaign', args.campaign);
    const read = async () => {
      const { data } = await api.steps.list.query({ id });
      const more = await Promise.all(data.map((step) => describe(api, id, step)));
      return { data: data.map((step, index) => ({ ...step, ...more[index] })) };
    };
    // The first step follows no other, so it shows no wait.
    return this.list(flags, DEFAULT_COLUMNS, read, (step) => ({
      ...step,
      wait: step.step_order === 1 ? null : step.wait,
      subject: stepSubject(step),
    }));
  }
}

/** The whole wait of a step and the names of its attachments. */
async function describe(api: Api, id: number, step: Step): Promise<{ wait: string; attachments: string[] }> {
  const [{ step_id: _, ...timing }, { data }] = await Promise.all([
    api.steps.getOptions.query({ id, step_id: step.id }),
    api.attachments.list.query({ id, step_id: step.id }),
  ]);
  return { wait: waitText({ wait_days: step.wait_days, ...timing }), attachments: data.map(({ name }) => name) };
}

import { waitText } from '../../core/wait-text.ts';
import { stepSubject } from '../../terminal/step-subject.ts';
import { table } from '../../terminal/table.ts';
import type { Api } from '../client/api.ts';
import type { Step } from '../client/find-step.ts';

/** The steps of a campaign as a table, each with its whole wait. */
export async function stepsTable(api: Api, id: number, steps: readonly Step[]): Promise<string> {
  // The first step follows nothing, and shows no wait.
  const options = await Promise.all(
    steps.map((step) => (step.step_order === 1 ? undefined : api.steps.getOptions.query({ id, step_id: step.id }))),
  );
  const rows = steps.map((step, index) => ({
    ...step,
    subject: stepSubject(step),
    wait: step.step_order === 1 ? '' : waitText({ wait_days: step.wait_days, ...options[index] }),
  }));
  const hasB = steps.some(({ subject_b }) => subject_b !== null);
  return table(rows, ['step_order', 'kind', 'wait', 'subject', ...(hasB ? ['subject_b'] : [])]);
}

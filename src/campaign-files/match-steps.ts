import { diffArrays } from 'diff';
import type { StepContent } from './values.ts';

/** A step of the campaign, a step of the file, or both if they are the same step. */
export interface MatchedStep<Present> {
  present?: Present;
  declared?: number;
}

/**
 * Matches the steps of a campaign with those of a file, in the order they have after the file's steps are inserted and before others are
 * deleted. Steps with equal content are the same. Between two of these, steps of one kind are matched one by one, as edited steps. The
 * remaining ones are deleted or inserted. A step keeps the record of who has received it, so the longest common sequence is kept: an
 * insertion in the middle must not give the later steps the place of others.
 */
export function matchSteps<Present extends StepContent>(
  present: readonly Present[],
  declared: readonly StepContent[],
): MatchedStep<Present>[] {
  const changes = diffArrays<StepContent>([...present], [...declared], { comparator: isSameContent });
  const matched: MatchedStep<Present>[] = [];
  let [from, to, nextFrom, nextTo] = [0, 0, 0, 0];
  const matchChanged = () => {
    matched.push(...matchEdited(present.slice(from, nextFrom), declared, to, nextTo));
    [from, to] = [nextFrom, nextTo];
  };
  for (const { added, removed, count } of changes) {
    if (added) nextTo += count;
    else if (removed) nextFrom += count;
    else {
      matchChanged();
      for (const kept of present.slice(from, from + count)) matched.push({ present: kept, declared: to++ });
      from += count;
      [nextFrom, nextTo] = [from, to];
    }
  }
  matchChanged();
  return matched;
}

/** Returns true for steps with equal content; a different wait does not matter. Of a call, only the notes count. */
export const isSameContent = (one: StepContent, other: StepContent): boolean =>
  one.kind === other.kind &&
  one.body_html === other.body_html &&
  (one.kind === 'call' || (one.subject === other.subject && one.subject_b === other.subject_b && one.body_html_b === other.body_html_b));

/** Matches the steps between two kept ones in order, as long as they are of one kind. */
function matchEdited<Present extends StepContent>(
  present: readonly Present[],
  declared: readonly StepContent[],
  from: number,
  to: number,
): MatchedStep<Present>[] {
  const matched: MatchedStep<Present>[] = [];
  let next = from;
  for (const step of present) {
    if (next < to && declared[next]?.kind === step.kind) matched.push({ present: step, declared: next++ });
    else matched.push({ present: step });
  }
  while (next < to) matched.push({ declared: next++ });
  return matched;
}

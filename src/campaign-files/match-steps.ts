import type { StepContent } from './values.ts';

/** A step of the campaign, one of the file, or both where they are the same step. */
export interface MatchedStep<Present> {
  present?: Present;
  declared?: number;
}

/**
 * Matches the steps of a campaign with those of a file, in the order in which they stand once those of the file are inserted and
 * before others are deleted. Steps of equal content are the same; between two of these, steps of one kind are the same one by one,
 * and so count as edited. What is left over is deleted or inserted. A step keeps who has received it, so the longest common
 * sequence is kept: an insertion in the middle must not give the later steps the place of others.
 */
export function matchSteps<Present extends StepContent>(
  present: readonly Present[],
  declared: readonly StepContent[],
): MatchedStep<Present>[] {
  const matched: MatchedStep<Present>[] = [];
  let [from, to] = [0, 0];
  for (const [nextFrom, nextTo] of [...commonSteps(present, declared), [present.length, declared.length] as const]) {
    matched.push(...matchEdited(present.slice(from, nextFrom), declared, to, nextTo));
    const kept = present[nextFrom];
    if (kept !== undefined) matched.push({ present: kept, declared: nextTo });
    [from, to] = [nextFrom + 1, nextTo + 1];
  }
  return matched;
}

/** Steps of equal content: those of the file are the same but for the wait. Only the notes of a call count. */
export const isSameContent = (one: StepContent, other: StepContent): boolean =>
  one.kind === other.kind &&
  one.body_html === other.body_html &&
  (one.kind === 'call' || (one.subject === other.subject && one.subject_b === other.subject_b && one.body_html_b === other.body_html_b));

/** The longest common sequence of two lists of steps, as pairs of positions. */
function commonSteps(present: readonly StepContent[], declared: readonly StepContent[]): [number, number][] {
  const lengths = present.map(() => declared.map(() => 0));
  const lengthAt = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (const [i, one] of [...present.entries()].reverse())
    for (const [j, other] of [...declared.entries()].reverse()) {
      const row = lengths[i];
      if (row !== undefined)
        row[j] = isSameContent(one, other) ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
    }
  const pairs: [number, number][] = [];
  for (let [i, j] = [0, 0]; lengthAt(i, j) > 0; ) {
    const [one, other] = [present[i], declared[j]];
    if (one !== undefined && other !== undefined && isSameContent(one, other)) pairs.push([i++, j++]);
    else if (lengthAt(i + 1, j) >= lengthAt(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}

/** Matches the steps between two that are kept: in order, as long as they are of one kind. */
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

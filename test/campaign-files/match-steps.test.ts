import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchSteps } from '../../src/campaign-files/match-steps.ts';
import type { StepContent } from '../../src/campaign-files/values.ts';

/** A capital letter is a call, a small one an email. */
const step = (letter: string): StepContent => ({
  kind: letter === letter.toUpperCase() ? 'call' : 'email',
  subject: '',
  body_html: letter,
  subject_b: null,
  body_html_b: null,
  ...{ wait_days: 0, wait_hours: 0, business_days: false },
});

/** Steps that stay as `a`, edited ones as `a>b`, deleted ones as `-a` and inserted ones as `+a`. */
function matched(before: string, after: string): string[] {
  const declared = [...after];
  return matchSteps([...before].map(step), declared.map(step)).map(({ present, declared: index }) => {
    const [old, fresh] = [present?.body_html, index === undefined ? undefined : declared[index]];
    if (old === undefined) return `+${fresh}`;
    if (fresh === undefined) return `-${old}`;
    return old === fresh ? old : `${old}>${fresh}`;
  });
}

describe('steps of a campaign and of its file', () => {
  it.each([
    ['abc', 'abc', ['a', 'b', 'c']],
    ['abc', 'axbc', ['a', '+x', 'b', 'c']],
    ['abc', 'ac', ['a', '-b', 'c']],
    ['abc', 'axc', ['a', 'b>x', 'c']],
    ['aBc', 'axc', ['a', '-B', '+x', 'c']],
    ['aBc', 'aXyc', ['a', 'B>X', '+y', 'c']],
    ['', 'ab', ['+a', '+b']],
    ['ab', '', ['-a', '-b']],
  ])('%s becomes %s', (before, after, expected) => {
    expect(matched(before, after)).toEqual(expected);
  });

  it('each occurs once and in its order, and as many of equal content as possible stay', () => {
    const steps = fc.string({ unit: fc.constantFrom('a', 'b', 'C'), maxLength: 7 });
    const longestCommon = (one: string, other: string): number => {
      if (one === '' || other === '') return 0;
      if (one[0] === other[0]) return 1 + longestCommon(one.slice(1), other.slice(1));
      return Math.max(longestCommon(one.slice(1), other), longestCommon(one, other.slice(1)));
    };
    fc.assert(
      fc.property(steps, steps, (before, after) => {
        const result = matched(before, after);
        expect(result.map((each) => each.replace(/^\+.*|^-|>.*/g, '')).join('')).toBe(before);
        expect(result.map((each) => each.replace(/^-.*|^\+|.*>/g, '')).join('')).toBe(after);
        expect(result.filter((each) => each.length === 1).length).toBeGreaterThanOrEqual(longestCommon(before, after));
      }),
    );
  });
});

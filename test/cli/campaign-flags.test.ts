import { describe, expect, it } from 'vitest';

import { daysOf } from '../../src/cli/campaign-flags.ts';

describe('--days', () => {
  it.each([
    ['mon,wed', [1, 3]],
    ['mon-fri', [1, 2, 3, 4, 5]],
    ['Sat-Mon, thu', [1, 4, 6, 7]],
  ])('%s', (text, days) => expect(daysOf(text)).toEqual(days));

  it.each(['', 'monday', 'mon-', 'mon-tue-wed', '1'])('refuses %j and names it', (text) => {
    expect(() => daysOf(text)).toThrow(/^--days: "\S*" is not a day; give days such as mon,tue or mon-fri$/);
  });
});

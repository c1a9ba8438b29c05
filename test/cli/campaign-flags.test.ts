import { describe, expect, it } from 'vitest';

import { daysOf } from '../../src/cli/campaign-flags.ts';
import { instantText } from '../../src/cli/instant.ts';

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

describe('a time in a flag', () => {
  it.each([
    ['2026-12-01', '2026-12-01T00:00:00.000Z'],
    ['2026-12-01 09:00', '2026-12-01T09:00:00.000Z'],
    ['2026-12-01 09:00:30', '2026-12-01T09:00:30.000Z'],
    ['2026-12-01T09:00:00+01:00', '2026-12-01T08:00:00.000Z'],
  ])('%s is %s', (text, instant) => expect(instantText(text, '--at')).toBe(instant));

  it.each(['tomorrow', '2026-13-01', '1', '9:00'])('refuses %s', (text) => {
    expect(() => instantText(text, '--at')).toThrow(/^--at: must be a date such as 2026-01-31 or a timestamp/);
  });
});

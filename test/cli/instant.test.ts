import { describe, expect, it } from 'vitest';
import { dayText, instantText, type TimeFrame } from '../../src/cli/instant.ts';
import { localText } from '../../src/terminal/local-text.ts';

/** A Thursday, 10:30 in Berlin. */
const NOW = new Date('2026-11-26T09:30:00Z');
const BERLIN: TimeFrame = { timezone: 'Europe/Berlin', now: NOW, towards: 'future' };
const PAST: TimeFrame = { ...BERLIN, towards: 'past' };

describe('D3.2: "times without a zone on the command line mean the zone of the campaign (else the workspace\'s)"', () => {
  it.each([
    ['2026-12-01', '2026-11-30T23:00:00.000Z'],
    ['2026-12-01 09:00', '2026-12-01T08:00:00.000Z'],
    ['2026-07-01T09:00:30', '2026-07-01T07:00:30.000Z'],
    // The clock jumps over this hour.
    ['2027-03-28 02:30', '2027-03-28T01:00:00.000Z'],
    ['2026-12-01T09:00:00Z', '2026-12-01T09:00:00.000Z'],
    ['2026-12-01 09:00+05:30', '2026-12-01T03:30:00.000Z'],
    ['now', '2026-11-26T09:30:00.000Z'],
    ['30m', '2026-11-26T10:00:00.000Z'],
    ['6h', '2026-11-26T15:30:00.000Z'],
    ['7d', '2026-12-03T09:30:00.000Z'],
    ['2 w', '2026-12-10T09:30:00.000Z'],
    ['tomorrow', '2026-11-26T23:00:00.000Z'],
    ['Tomorrow 9:00', '2026-11-27T08:00:00.000Z'],
    ['today 18:15', '2026-11-26T17:15:00.000Z'],
    ['monday', '2026-11-29T23:00:00.000Z'],
    ['thu', '2026-12-02T23:00:00.000Z'],
    ['thursday at 11:00', '2026-11-26T10:00:00.000Z'],
    ['9:00', '2026-11-27T08:00:00.000Z'],
    ['18:00', '2026-11-26T17:00:00.000Z'],
  ])('%s is planned for %s', (text, instant) => expect(instantText(text, '--at', BERLIN)).toBe(instant));

  it.each([
    ['7d', '2026-11-19T09:30:00.000Z'],
    // The clock went back in between: seven days are seven mornings.
    ['40d', '2026-10-17T08:30:00.000Z'],
    ['36h', '2026-11-24T21:30:00.000Z'],
    ['yesterday', '2026-11-24T23:00:00.000Z'],
    ['monday', '2026-11-22T23:00:00.000Z'],
    ['thursday', '2026-11-25T23:00:00.000Z'],
    ['friday 9:00', '2026-11-20T08:00:00.000Z'],
    ['18:00', '2026-11-25T17:00:00.000Z'],
  ])('%s has been %s', (text, instant) => expect(instantText(text, '--since', PAST)).toBe(instant));

  it.each([
    '',
    'soon',
    '2026-13-01',
    '2026-02-30',
    '1',
    '25:00',
    'monkey',
    'today 9:75',
    '7y',
    '2026-12-01 24:00',
  ])('refuses %j', (text) => {
    expect(() => instantText(text, '--at', BERLIN)).toThrow(/^--at: must be a time such as 2026-01-31, .* not "/);
  });

  it('a day is the day in that zone', () => {
    expect(['7d', 'monday', '2026-11-01', '2026-11-01 23:30'].map((text) => dayText(text, '--since', PAST))).toEqual([
      ...['2026-11-19', '2026-11-23', '2026-11-01', '2026-11-01'],
    ]);
    expect(dayText('2026-11-01T23:30:00Z', '--since', PAST)).toBe('2026-11-01T23:30:00.000Z');
  });

  it('"what is printed says the zone"', () => {
    expect(localText('2026-12-01 08:00:00', 'Europe/Berlin')).toBe('2026-12-01 09:00 Europe/Berlin');
    expect(localText('2026-12-01T08:00:00.000Z', 'UTC')).toBe('2026-12-01 08:00 UTC');
  });
});

import { describe, expect, it } from 'vitest';
import { ACCOUNT_SETTINGS } from '../../../src/accounts/settings/index.ts';
import { CAMPAIGN_OPTIONS } from '../../../src/campaigns/index.ts';
import { flagName, withFlags } from '../../../src/cli/client/flag-names.ts';
import { flagOf } from '../../../src/fields/option-text.ts';

const FLAGS = {
  at: {},
  events: {},
  expires: {},
  step: {},
  until: {},
  timezone: {},
  hours: {},
  'batch-min': {},
  'batch-max': {},
  'even-if-suppressed': {},
  list: {},
  tag: {},
  untag: {},
};

it('a field of the same name as a flag is of the flag that the command has', () => {
  expect(withFlags('at: must be a time of the day', { 'daily-summary': {} })).toBe('--daily-summary: must be a time of the day');
});

describe('an error names the flags of the command, not the fields of the API: "--hours 9-25 → sending_hour_end: must be at most 24"', () => {
  it.each([
    ['timezone: must be a zone', '--timezone: must be a zone'],
    ['settings.timezone: must be a zone', '--timezone: must be a zone'],
    ['sending_hour_end: must be at most 24', '--hours: must be at most 24'],
    ['send_batch_min: must be at most send_batch_max, which is 3', '--batch-min: must be at most --batch-max, which is 3'],
    [
      'a@b.example is suppressed; pass "even_if_suppressed": true to answer',
      'a@b.example is suppressed; pass --even-if-suppressed to answer',
    ],
    ['list_id: is gone', '--list: is gone'],
    ['at: must be a time of the day', '--at: must be a time of the day'],
    ['send_at: must be in the future', '--at: must be in the future'],
    ['expires_at: must be in the future', '--expires: must be in the future'],
    ['later_until: must be in the future', '--until: must be in the future'],
    ['step_order: the campaign has no email step 9', '--step: the campaign has no email step 9'],
    ['types: unknown type "bad"', '--events: unknown type "bad"'],
    ['settings.tags[0]: is too long', '--tag: is too long'],
    ['tags.add[0]: is too long', '--tag: is too long'],
    ['tags.remove[1]: is too long', '--untag: is too long'],
    ['more_hours[0]: "18-99" must be hours', '--hours: "18-99" must be hours'],
    ['types[2]: unknown type "bad"', '--events: unknown type "bad"'],
    ['contacts[2]: is too long', 'contacts[2]: is too long'],
    ['email: must be an address', 'email: must be an address'],
    ['unknown placeholder {{first_name}}', 'unknown placeholder {{first_name}}'],
  ])('%s', (message, said) => expect(withFlags(message, FLAGS)).toBe(said));
});

it('decisions D1.6: an option has "one name in all of them": the flag of its declaration is the one that errors name', () => {
  const named = Object.entries({ ...ACCOUNT_SETTINGS, ...CAMPAIGN_OPTIONS }).map(([name, option]) => [
    name,
    flagOf(name, option) ?? flagName(name),
  ]);
  expect(named.length).toBeGreaterThan(30);
  expect(Object.fromEntries(named.map(([name = '']) => [name, flagName(name)]))).toEqual(Object.fromEntries(named));
});

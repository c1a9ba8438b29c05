import { describe, expect, it } from 'vitest';
import { type NextSendInput, nextSendAt } from '../../src/campaigns/schedule/next-send.ts';

/** Tuesday noon UTC. */
const NOW = new Date('2026-07-07T12:00:00Z');

const row = (values: Partial<NextSendInput> = {}): NextSendInput => ({
  status: 'active',
  due_at: new Date('2026-07-07T11:00:00Z'),
  held_until: null,
  variant: null,
  step_kind: 'email',
  campaign_status: 'active',
  starts_at: null,
  timezone: 'UTC',
  contact_timezone: null,
  sending_days: [1, 2, 3, 4, 5],
  sending_hour_start: 9,
  sending_hour_end: 17,
  more_hours: [],
  holidays: null,
  ab_test_enabled: false,
  sending_hour_start_b: null,
  sending_hour_end_b: null,
  account_timezone: 'UTC',
  send_window_start_hour: 8,
  send_window_end_hour: 18,
  ...values,
});

const next = (values: Partial<NextSendInput> = {}) => nextSendAt(row(values), NOW)?.toISOString() ?? null;

describe('next_send_at', () => {
  it.each([
    ['America/New_York', '2026-07-07T13:00:00.000Z'],
    ['Asia/Tokyo', '2026-07-08T08:00:00.000Z'],
    ['Mars/Phobos', '2026-07-07T12:00:00.000Z'],
  ])('reads the hours of the campaign in the contact’s own zone where that is one: %s', (contact_timezone, at) => {
    expect(next({ contact_timezone, sending_hour_end: 18 })).toBe(at);
  });

  it('is null, and no error, when the zone of the campaign or the account has vanished', () => {
    expect(next({ timezone: 'Mars/Phobos' })).toBeNull();
    expect(next({ account_timezone: 'Mars/Phobos' })).toBeNull();
  });

  it('is now for what is due while both windows are open', () => {
    expect(next()).toBe('2026-07-07T12:00:00.000Z');
  });

  it.each([
    [{ status: 'replied' }],
    [{ status: 'stopped' }],
    [{ status: 'bounced' }],
    [{ status: 'completed' }],
    [{ campaign_status: 'draft' }],
    [{ campaign_status: 'paused' }],
    [{ campaign_status: 'completed' }],
    [{ due_at: null }],
    [{ step_kind: 'call' }],
    [{ step_kind: null }],
  ] as [Partial<NextSendInput>][])('is null unless the enrolment and the campaign are active and a mail comes next: %o', (values) => {
    expect(next(values)).toBeNull();
  });

  it.each([
    ['the wait', { due_at: new Date('2026-07-08T10:30:00Z') }, '2026-07-08T10:30:00.000Z'],
    ['a hold', { held_until: new Date('2026-07-09T09:15:00Z') }, '2026-07-09T09:15:00.000Z'],
    ['the scheduled start', { starts_at: new Date('2026-07-10T16:00:00Z') }, '2026-07-10T16:00:00.000Z'],
    [
      'the latest of them',
      { due_at: new Date('2026-07-09T10:00:00Z'), held_until: new Date('2026-07-08T10:00:00Z') },
      '2026-07-09T10:00:00.000Z',
    ],
    ["the campaign's window", { due_at: new Date('2026-07-07T17:00:00Z') }, '2026-07-08T09:00:00.000Z'],
    ["the campaign's days", { due_at: new Date('2026-07-10T17:00:00Z') }, '2026-07-13T09:00:00.000Z'],
    [
      "the account's window in its own zone",
      { account_timezone: 'America/New_York', send_window_start_hour: 10 },
      '2026-07-07T14:00:00.000Z',
    ],
    ['a window over midnight', { sending_hour_start: 22, sending_hour_end: 9, send_window_end_hour: 23 }, '2026-07-07T22:00:00.000Z'],
  ] as [string, Partial<NextSendInput>, string][])('waits for %s', (_what, values, expected) => {
    expect(next(values)).toBe(expected);
  });

  const test = { ab_test_enabled: true, sending_hour_start_b: 15, sending_hour_end_b: 17 };
  it.each([
    ['group B waits for its own hours', { ...test, variant: 'B' }, '2026-07-07T15:00:00.000Z'],
    ['group A keeps the campaign hours', { ...test, variant: 'A' }, '2026-07-07T12:00:00.000Z'],
    ['who has no group keeps the campaign hours', { ...test }, '2026-07-07T12:00:00.000Z'],
    ['a test that is off has one window', { ...test, ab_test_enabled: false, variant: 'B' }, '2026-07-07T12:00:00.000Z'],
    ['a test without B hours has one window', { ab_test_enabled: true, variant: 'B' }, '2026-07-07T12:00:00.000Z'],
  ] as [string, Partial<NextSendInput>, string][])('%s', (_what, values, expected) => {
    expect(next(values)).toBe(expected);
  });

  it('is null when the windows of campaign and account never meet', () => {
    expect(next({ send_window_start_hour: 18, send_window_end_hour: 20 })).toBeNull();
  });
});

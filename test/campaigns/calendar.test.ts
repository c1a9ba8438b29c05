import { describe, expect, it } from 'vitest';
import { hoursOf } from '../../src/campaigns/schedule/hours.ts';
import { endOfWait } from '../../src/campaigns/schedule/wait.ts';
import { holidayAt, isOpen, nextOpening, type SendingWindow } from '../../src/campaigns/schedule/window.ts';
import { DAY, HOUR } from '../../src/core/clock.ts';
import { regionFault } from '../../src/core/holiday-regions.ts';
import { holidayOn } from '../../src/core/holidays.ts';
import { WAIT_PATTERN, waitFault, waitOf, waitText } from '../../src/core/wait-text.ts';
import { addCalendarDays, localTime } from '../../src/core/zone.ts';

const BERLIN = 'Europe/Berlin';
const window = (hours: string, more: string[] = [], values: Partial<SendingWindow> = {}): SendingWindow => ({
  ...{ timezone: BERLIN, days: [1, 2, 3, 4, 5], ...hoursOf(hours), more: more.map(hoursOf) },
  ...values,
});
const at = (text: string) => new Date(text);
const opens = (from: string, ...windows: SendingWindow[]) => nextOpening(windows, at(from))?.toISOString().slice(0, 16) ?? null;
const dayOf = (date: string) => Date.parse(date) / DAY;

describe('several windows a day', () => {
  const day = window('9-12', ['14-17']);

  it('C4: is open in each of them, and closed between them', () => {
    // Tuesday; Berlin is two hours ahead of UTC.
    const open = Array.from({ length: 24 }, (_, hour) => hour).filter((hour) =>
      isOpen(day, new Date(at('2026-07-07T00:00Z').getTime() + hour * HOUR)),
    );
    expect(open).toEqual([7, 8, 9, 12, 13, 14]);
  });

  it('opens with the next of them, whichever is named first', () => {
    for (const each of [day, window('14-17', ['9-12'])]) {
      expect(opens('2026-07-07T10:30Z', each)).toBe('2026-07-07T12:00');
      expect(opens('2026-07-07T15:00Z', each)).toBe('2026-07-08T07:00');
      expect(opens('2026-07-10T15:00Z', each)).toBe('2026-07-13T07:00');
    }
  });

  it('meets the window of an account in whichever it does', () => {
    expect(opens('2026-07-07T05:00Z', day, window('13-15', [], { days: null }))).toBe('2026-07-07T12:00');
  });
});

describe('public holidays', () => {
  const german = window('9-17', [], { holidays: 'DE' });

  it('C4: no email on such a day, from midnight to midnight of the zone of the window', () => {
    // Good Friday and Easter Monday 2026.
    expect(opens('2026-04-02T16:00Z', german)).toBe('2026-04-07T07:00');
    expect(holidayAt(german, at('2026-04-03T10:00Z'))).toBe('Karfreitag');
    expect(holidayAt({ ...german, timezone: 'Asia/Tokyo' }, at('2026-04-02T20:00Z'))).toBe('Karfreitag');
    expect(holidayAt(german, at('2026-04-02T20:00Z'))).toBeNull();
  });

  it('ends the hours that span midnight at the holiday, and goes on with them at its end', () => {
    const night = window('22-6', [], { days: null, holidays: 'DE' });
    expect(isOpen(night, at('2026-04-30T21:30Z'))).toBe(true);
    expect(opens('2026-04-30T22:00Z', night)).toBe('2026-05-01T22:00');
  });

  it('finds a window of one day a week that two holidays in a row close', () => {
    // Thursdays: Christmas Eve is a working day, 25 December and 1 January are Fridays of 2026.
    expect(opens('2026-12-19T00:00Z', window('9-17', [], { days: [5], holidays: 'DE' }))).toBe('2027-01-08T08:00');
  });

  it('knows parts of countries, days that move, days of several days, and half-days as working days', () => {
    expect([holidayOn('DE-BY', dayOf('2026-01-06')), holidayOn('DE-BE', dayOf('2026-01-06'))]).toEqual(['Heilige Drei Könige', null]);
    expect(holidayOn('US', dayOf('2026-11-26'))).toBe('Thanksgiving Day');
    const eid = [19, 20, 21, 22, 23].map((day) => holidayOn('EG', dayOf(`2026-03-${day}`)) !== null);
    expect(eid).toEqual([false, true, true, true, false]);
    expect(holidayOn('FO', dayOf('2026-06-05'))).toBeNull();
  });

  it('says what is wrong with a region', () => {
    expect([regionFault('DE'), regionFault('DE-BY'), regionFault('DE-BY-A')]).toEqual([null, null, null]);
    expect(regionFault('XX')).toBe('there is no country "XX"; give a code of ISO 3166 such as DE, or DE-BY for a part of it');
    expect(regionFault('DE-XX')).toMatch(/^DE has no part "XX"; its parts are BB, BE, BW, BY, /);
    expect(regionFault('IL-XX')).toBe('IL has no part "XX"; give IL');
  });

  it('C4: at least 100 countries have them', async () => {
    const { default: Holidays } = await import('date-holidays');
    const countries = Object.keys(new Holidays().getCountries());
    const year = Array.from({ length: 365 }, (_, day) => dayOf('2026-01-01') + day);
    expect(countries.filter((country) => year.some((day) => holidayOn(country, day) !== null)).length).toBeGreaterThan(100);
  });
});

describe('waits', () => {
  const calendar = { timezone: BERLIN, holidays: 'DE' };
  const end = (from: string, wait: string, by = calendar) => endOfWait(at(from), waitOf(wait), by).toISOString().slice(0, 16);

  it('C4: hours are elapsed time, also over a clock change, and are added to days, which keep the time of day', () => {
    expect(end('2026-10-24T20:00Z', '6 hours')).toBe('2026-10-25T02:00');
    expect(end('2026-10-24T20:00Z', '1 day 12 hours')).toBe('2026-10-26T09:00');
  });

  it('C4: business days are Monday to Friday without the holidays of the campaign', () => {
    // Thursday before Easter: Friday and Monday are holidays.
    expect(end('2026-04-02T08:00Z', '1 business day')).toBe('2026-04-07T08:00');
    expect(end('2026-04-02T08:00Z', '1 business day', { timezone: BERLIN, holidays: 'US' })).toBe('2026-04-03T08:00');
    expect(end('2026-07-10T08:00Z', '5 business days')).toBe('2026-07-17T08:00');
    expect(end('2026-07-11T08:00Z', '1 business day')).toBe('2026-07-13T08:00');
  });

  it('by another way of counting: each business day between is counted once', () => {
    for (let days = 0; days < 40; days++) {
      const from = addCalendarDays(at('2026-12-18T09:00Z'), days % 9, BERLIN);
      const until = endOfWait(from, { wait_days: days, business_days: true }, calendar);
      const [first, last] = [from, until].map((each) => Math.floor(localTime(each, BERLIN) / DAY)) as [number, number];
      const between = Array.from({ length: last - first }, (_, index) => first + index + 1);
      expect(between.filter((day) => (day + 3) % 7 < 5 && holidayOn('DE', day) === null)).toHaveLength(days);
    }
  });

  it('are written as they are read', () => {
    for (const text of ['0 days', '1 day', '3 days', '6 hours', '1 hour', '3 business days', '1 business day 4 hours', '1 day 12 hours'])
      expect([waitFault(text), waitText(waitOf(text))]).toEqual([null, text]);
    for (const text of ['', '3', 'soon', '3 weeks', '-1 days', '1 day 2', '3 business hours', '1 hour 2 days', '3 days '])
      expect(waitFault(text)).not.toBeNull();
    expect([waitFault('366 days'), waitFault('721 hours')]).toEqual(['at most 365 days', 'at most 720 hours']);
  });

  it('fit the pattern of the document if and only if they are taken', () => {
    const pattern = new RegExp(WAIT_PATTERN, 'u');
    const numbers = [0, 1, 2, 3, 4].flatMap((width) => Array.from({ length: 800 }, (_, number) => `${number}`.padStart(width, '0')));
    const texts = numbers.flatMap((number) => [`${number} day`, `${number} business days`, `${number} hours`, `1 day ${number} hours`]);
    texts.push('', '3', '3 weeks', '1 business hour', '1 hour 2 days', '3 days ', ' 3 days', '00001 day', '٣ days');
    expect(texts.filter((text) => pattern.test(text) !== (waitFault(text) === null))).toEqual([]);
  });
});

describe('the library of holidays', () => {
  it('is not loaded by a window without a region', async () => {
    const { execFileSync } = await import('node:child_process');
    const script = `
      import { isOpen } from './src/campaigns/schedule/window.ts';
      isOpen({ timezone: 'UTC', days: null, startHour: 0, endHour: 24 }, new Date());
      const { createRequire } = await import('node:module');
      console.log(Object.keys(createRequire(import.meta.url).cache ?? {}).some((path) => path.includes('date-holidays')));`;
    expect(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).trim()).toBe('false');
  });
});

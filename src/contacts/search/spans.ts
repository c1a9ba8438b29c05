import { DateTime } from 'luxon';
import { DAY, SECOND } from '../../core/clock.ts';
import { invalid } from '../../core/errors.ts';
import type { Scalar, Value } from './ast.ts';
import { bound, requireForward } from './values.ts';

/** Instants from `from` (inclusive) to `to` (exclusive), in milliseconds since 1970; null is unbounded. */
export interface Span {
  from: number | null;
  to: number | null;
}

export const ALWAYS: Span = { from: null, to: null };

/** Time that a date in a query covers: a whole UTC day, a second (a millisecond if it has a fraction), or an instant. */
interface Moment {
  from: number;
  to: number;
}

const DAY_FORM = /^\d{4}-\d\d-\d\d$/;
const INSTANT_FORM = /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;
/** The format of responses, which is UTC. It contains a space, so a query must quote it. */
const OWN_FORM = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)$/;
const AGE_FORM = /^(\d{1,5})([dwmy])$/i;
const AGE_UNITS = { d: 'days', w: 'weeks', m: 'months', y: 'years' } as const;

/** PostgreSQL has no year 0. */
const FIRST_INSTANT = Date.parse('0001-01-01');

/**
 * Returns the instants that a date, a comparison or a range matches. A date without an operator, in any notation, means its
 * whole UTC day. Throws `invalid_request` for a malformed date.
 */
export function spanOf(field: string, value: Value, now: Date): Span {
  const moment = (scalar: Scalar) => momentOf(field, scalar, now);
  if (value.kind === 'range') {
    const span = { from: bound(value.from, (from) => moment(from).from), to: bound(value.to, (to) => moment(to).to) };
    requireForward(field, value, span.from === null || span.to === null || span.from < span.to);
    return span;
  }
  const { from, to } = moment(value.scalar);
  switch (value.operator) {
    case '>':
      return { from: to, to: null };
    case '>=':
      return { from, to: null };
    case '<':
      return { from: null, to: from };
    case '<=':
      return { from: null, to };
    case '=':
      return { from, to };
    default:
      return dayOf(from);
  }
}

function momentOf(field: string, { text }: Scalar, now: Date): Moment {
  const moment = dayMoment(text, now) ?? instantMoment(text) ?? ageMoment(text, now);
  if (moment === undefined || !(moment.from >= FIRST_INSTANT))
    throw invalid(`malformed date "${text}" for ${field}; use YYYY-MM-DD, RFC 3339, or an age such as 7d`);
  return moment;
}

function dayMoment(text: string, now: Date): Moment | undefined {
  if (/^today$/i.test(text)) return dayOf(now.getTime());
  if (/^yesterday$/i.test(text)) return dayOf(now.getTime() - DAY);
  return DAY_FORM.test(text) && isCalendarDay(text) ? dayOf(Date.parse(text)) : undefined;
}

function instantMoment(text: string): Moment | undefined {
  const written = text.replace(OWN_FORM, '$1T$2Z');
  const [, day, fraction] = INSTANT_FORM.exec(written) ?? [];
  if (day === undefined || !isCalendarDay(day)) return undefined;
  const from = Date.parse(written.toUpperCase());
  return { from, to: from + (fraction === undefined ? SECOND : 1) };
}

/** Reads an age, such as `7d`, in days, weeks, calendar months or years, as an instant before now. */
function ageMoment(text: string, now: Date): Moment | undefined {
  const [, count, unit] = AGE_FORM.exec(text) ?? [];
  if (count === undefined || unit === undefined) return undefined;
  const name = AGE_UNITS[unit.toLowerCase() as keyof typeof AGE_UNITS];
  const from = DateTime.fromJSDate(now, { zone: 'utc' })
    .minus({ [name]: Number(count) })
    .toMillis();
  return { from, to: from + 1 };
}

const dayOf = (instant: number): Moment => {
  const from = Math.floor(instant / DAY) * DAY;
  return { from, to: from + DAY };
};

/** False for days such as 30 February, which `Date.parse` reads as 2 March. */
const isCalendarDay = (day: string) => {
  const instant = Date.parse(day);
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(day);
};

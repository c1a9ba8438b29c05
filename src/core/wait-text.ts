import { quantity } from './english.ts';

/** The time between two steps: days, and hours on top of them. */
export interface Wait {
  wait_days: number;
  /** Default 0. */
  wait_hours?: number | undefined;
  /** The days are business days, Monday to Friday without the holidays of the campaign; by default calendar days. */
  business_days?: boolean | undefined;
}

export const WAIT = 'must be days or hours, such as "3 days", "3 business days" or "6 hours"';

const PATTERN = /^(?=\d)(?:(\d{1,4}) (business )?days?(?: (?=\d)|$))?(?:(\d{1,4}) hours?)?$/;
const MAX_DAYS = 365;
const MAX_HOURS = 720;

const DAYS = '(?:0{0,2}[0-9]{1,2}|0?[12][0-9]{2}|0?3[0-5][0-9]|0?36[0-5]) (?:business )?days?';
const HOURS = '(?:0{0,2}[0-9]{1,2}|0?[1-6][0-9]{2}|0?7[01][0-9]|0?720) hours?';
/** The waits that `waitFault` accepts, as a pattern for the OpenAPI document. */
export const WAIT_PATTERN = `^(?:${DAYS}|(?:${DAYS} )?${HOURS})$`;

/** Formats a wait as campaign files and commands write it: `3 days`, `2 business days`, `6 hours`, `1 day 12 hours`. */
export function waitText({ wait_days: days, wait_hours: hours = 0, business_days: isBusiness = false }: Wait): string {
  const dayText = isBusiness ? quantity(days, 'business day') : quantity(days, 'day');
  const parts = [...(days > 0 || isBusiness || hours === 0 ? [dayText] : []), ...(hours > 0 ? [quantity(hours, 'hour')] : [])];
  return parts.join(' ');
}

/** Explains why a text is not a wait; returns null if it is one. */
export function waitFault(text: string): string | null {
  const { wait_days = -1, wait_hours = 0 } = parse(text) ?? {};
  if (wait_days < 0) return WAIT;
  if (wait_days > MAX_DAYS) return `at most ${MAX_DAYS} days`;
  return wait_hours > MAX_HOURS ? `at most ${MAX_HOURS} hours` : null;
}

/** Parses a wait that `waitFault` has accepted. */
export const waitOf = (text: string): Required<Wait> => parse(text) ?? { wait_days: 0, wait_hours: 0, business_days: false };

function parse(text: string): Required<Wait> | undefined {
  const [, days, business, hours] = PATTERN.exec(text) ?? [];
  if (days === undefined && hours === undefined) return undefined;
  return { wait_days: Number(days ?? 0), wait_hours: Number(hours ?? 0), business_days: business !== undefined };
}

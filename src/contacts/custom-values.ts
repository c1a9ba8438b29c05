import { emailAddress } from '../core/email-address.ts';
import { grouped } from '../core/english.ts';
import { invalid, OutreachError } from '../core/errors.ts';
import type { FieldType } from './field-types.ts';

const MAX_TEXT = 10_000;
const MAX_URL = 2_048;
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
/** RFC 3339 §5.6, limited to the offsets that PostgreSQL accepts, because searches cast these values to timestamptz. */
const DATE_TIME = /^\d{4}-\d\d-\d\d[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?([Zz]|[+-](0\d|1[0-5]):[0-5]\d)$/;

/**
 * Checks one custom value against its field's type and returns it as text, the form in which it is stored and shown. Null and the empty
 * string mean no value. Throws `invalid_request` naming the key and the rule.
 * @param value any JSON value
 */
export function customValue(key: string, type: FieldType, value: unknown): string | null {
  if (value === null || value === '') return null;
  const problem = (rule: string) => invalid(`custom_fields.${key}: ${rule}`);
  if (type === 'boolean' && typeof value === 'boolean') return String(value);
  if (type === 'number' && typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (typeof value !== 'string') throw problem(RULES[type]);
  if (value.includes('\0') || !value.isWellFormed()) throw problem('must be well-formed Unicode without NUL');
  const text = type === 'text' ? value : value.trim();
  if (text === '') return type === 'text' ? value : null;
  if (text.length > MAX_TEXT && [...text].length > MAX_TEXT) throw problem(`at most ${grouped(MAX_TEXT)} characters`);
  const checked = CHECKS[type](text);
  if (checked === undefined) throw problem(RULES[type]);
  return checked;
}

const RULES: Record<FieldType, string> = {
  text: 'must be text',
  number: 'must be a number',
  email: 'must be one email address',
  phone: 'must be a telephone number of 3 to 20 digits, with + ( ) . / - and spaces',
  url: 'must be an http or https address of at most 2,048 characters',
  date: 'must be a date of the form YYYY-MM-DD',
  datetime: 'must be an RFC 3339 timestamp with a zone, for example 2026-01-31T09:00:00Z',
  boolean: 'must be true or false',
};

/** For each type, a function that returns the text to store, or undefined for an invalid value. */
const CHECKS: Record<FieldType, (text: string) => string | undefined> = {
  text: (text) => text.normalize('NFC'),
  number: (text) => (/^[+-]?(\d+(\.\d+)?|\.\d+)([eE][+-]?\d{1,3})?$/.test(text) && Number.isFinite(Number(text)) ? text : undefined),
  email(text) {
    try {
      return emailAddress(text);
    } catch (error) {
      if (error instanceof OutreachError) return undefined;
      throw error;
    }
  },
  phone: (text) => (/^\+?[\d\s().\-/]+$/.test(text) && within(text.replaceAll(/\D/g, '').length, 3, 20) ? text : undefined),
  url(text) {
    const address = /^[a-z][a-z0-9+.-]*:/i.test(text) && !/^[^/]*:\d/.test(text) ? text : `https://${text}`;
    if (address.length > MAX_URL || /\s/.test(address) || !URL.canParse(address)) return undefined;
    return /^https?:\/\/[^/]/i.test(address) ? address : undefined;
  },
  date: (text) => (isDate(text) ? text : undefined),
  datetime: (text) => (DATE_TIME.test(text) && isDate(text.slice(0, 10)) ? text : undefined),
  boolean: (text) => (/^(true|false)$/i.test(text) ? text.toLowerCase() : undefined),
};

/** Removes null values, which mean that there is no value. */
export const present = (values: Record<string, string | null>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== null));

const within = (count: number, min: number, max: number) => count >= min && count <= max;

function isDate(text: string): boolean {
  const [, year, month, day] = (DATE.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

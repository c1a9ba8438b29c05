import { OutreachError } from '../core/errors.ts';

/** A mistake in a field of one campaign, such as `accounts[1]`; the message says what is wrong and what to do. */
export class FieldMistake extends Error {
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/** Fields of a file, by the field of the campaign that errors name. */
const FIELDS: Readonly<Record<string, string>> = {
  account_id: 'accounts',
  account_ids: 'accounts',
  accounts: 'accounts',
  list_id: 'list',
  subsequences: 'subsequences',
  ab_split_percent: 'ab_test.split',
  sending_days: 'days',
  sending_hour_end: 'hours',
  sending_hour_end_b: 'ab_test.hours_b',
  reply_to: 'reply_to',
  starts_at: 'starts_at',
  timezone: 'timezone',
};

/**
 * Returns the mistake in the file that caused an error of the program; undefined for every other error.
 * @param field the field of the mistake if the error names no other
 */
export function mistakeOf(error: unknown, field: string): FieldMistake | undefined {
  if (error instanceof FieldMistake) return error;
  if (!(error instanceof OutreachError) || !['invalid_request', 'conflict', 'not_found'].includes(error.code)) return undefined;
  const [, name, rest] = /^([a-z_]+): (.*)$/s.exec(error.message) ?? [];
  const named = name === undefined ? undefined : FIELDS[name];
  if (named !== undefined) return new FieldMistake(named, rest ?? '');
  return new FieldMistake(field, error.message.startsWith(`${field} `) ? error.message.slice(field.length + 1) : error.message);
}

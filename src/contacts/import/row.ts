import { emailAddress } from '../../core/email-address.ts';
import { quantity } from '../../core/english.ts';
import { invalid, OutreachError } from '../../core/errors.ts';
import { writtenAddress } from '../../core/written-address.ts';
import { singleLine } from '../../fields/fields.ts';
import { withoutApostrophe } from '../../files/formula-cell.ts';
import { customValue } from '../custom-values.ts';
import type { Columns } from './columns.ts';

/** A valid row for the staging table. */
export interface ImportedRow {
  email: string;
  name: string;
  company: string | null;
  custom_fields: Record<string, string>;
  /** Number of cells from which text was removed that is not part of their value. */
  cleaned: number;
}

const MAX_CELL_BYTES = 64 * 1024;
const line255 = singleLine(255, { isTrimmedFirst: true });
/** Text that `line255` always accepts. */
const PLAIN_LINE = /^[ -~]{0,255}$/;

/**
 * Checks a row by the rules of the API, after unambiguous cleaning: removes the text that email clients add around an address, and line
 * breaks and repeated white space in single-line values. Throws `invalid_request` naming the field and the rule, and quoting the cell.
 */
export function checkRow(cells: readonly string[], columns: Columns): ImportedRow {
  requireWidth(cells, columns.width);
  const cell = (index: number | undefined) => (index === undefined ? '' : withoutApostrophe(cells[index] ?? ''));
  let cleaned = 0;
  const clean = (text: string, how: (text: string) => string): string => {
    const result = how(text);
    if (result !== text.trim()) cleaned++;
    return result;
  };
  const address = cell(columns.email);
  if (address.trim() === '') throw invalid('email: is empty');
  const email = quoting(address, () => emailAddress(clean(address, writtenAddress)));
  const custom: Record<string, string> = {};
  for (const { index, field } of columns.custom) {
    const text = cell(index);
    if (text === '') continue;
    const value = quoting(text, () => customValue(field.key, field.field_type, text));
    if (value !== null) custom[field.key] = value;
  }
  const line = (field: string, index: number | undefined) => quoting(cell(index), () => checkedLine(field, clean(cell(index), inOneLine)));
  const name = line('name', columns.name) || checkedLine('name', `${line('name', columns.firstName)} ${line('name', columns.lastName)}`);
  return { email, name, company: line('company', columns.company) || null, custom_fields: custom, cleaned };
}

/** Maximum number of characters of a cell that a message quotes. */
const MAX_QUOTED = 60;

/** Runs a check and adds the cell to the message of its error. */
function quoting<Value>(text: string, check: () => Value): Value {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof OutreachError)) throw error;
    const shown = inOneLine(text);
    const quoted = shown.length > MAX_QUOTED ? `${shown.slice(0, MAX_QUOTED)}…` : shown;
    throw invalid(`${error.message}, not "${quoted}"`, { cause: error });
  }
}

const inOneLine = (text: string): string =>
  PLAIN_LINE.test(text) && !text.includes('  ') ? text.trim() : text.trim().replaceAll(/\s+/g, ' ');

function checkedLine(field: string, text: string): string {
  const trimmed = text.trim();
  if (PLAIN_LINE.test(trimmed)) return trimmed;
  const checked = line255.safeParse(text);
  if (!checked.success) throw invalid(`${field}: ${checked.error.issues[0]?.message}`);
  return checked.data;
}

/** Surplus empty cells are normal for spreadsheets. Any other width means that values may be in the wrong columns. */
function requireWidth(cells: readonly string[], width: number): void {
  if (cells.length < width || cells.slice(width).some((extra) => extra !== ''))
    throw invalid(
      `has ${quantity(cells.length, 'column')} where the header has ${width}; is a value that contains the delimiter not quoted?`,
    );
  if (cells.some((text) => text.length > MAX_CELL_BYTES)) throw invalid('a value is longer than 64 KiB');
}

/** Formats a row for COPY's text format: line, email, name, company, custom_fields, risk (PostgreSQL manual, COPY). */
export function copyLine(number: number, row: ImportedRow, risk = '\\N'): string {
  const company = row.company === null ? '\\N' : copyText(row.company);
  return `${number}\t${copyText(row.email)}\t${copyText(row.name)}\t${company}\t${copyText(JSON.stringify(row.custom_fields))}\t${risk}\n`;
}

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Escapes text as a value of COPY's text format. */
export const copyText = (text: string): string =>
  /[\\\n\r\t]/.test(text) ? text.replaceAll(/[\\\n\r\t]/g, (character) => ESCAPES[character] ?? '') : text;

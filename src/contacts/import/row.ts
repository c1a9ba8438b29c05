import { emailAddress } from '../../core/email-address.ts';
import { quantity } from '../../core/english.ts';
import { invalid } from '../../core/errors.ts';
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
}

const MAX_CELL_BYTES = 64 * 1024;
const line = singleLine(255);
/** Text that `line` takes in any case. */
const PLAIN_LINE = /^[ -~]{0,255}$/;

/** Checks a row by the rules of the API. Throws `invalid_request` naming the field and the rule. */
export function checkRow(cells: readonly string[], columns: Columns): ImportedRow {
  requireWidth(cells, columns.width);
  const cell = (index: number | undefined) => (index === undefined ? '' : withoutApostrophe(cells[index] ?? ''));
  const address = cell(columns.email);
  if (address.trim() === '') throw invalid('email: is empty');
  const custom: Record<string, string> = {};
  for (const { index, field } of columns.custom) {
    const text = cell(index);
    if (text === '') continue;
    const value = customValue(field.key, field.field_type, text);
    if (value !== null) custom[field.key] = value;
  }
  const name = cell(columns.name) || `${cell(columns.firstName)} ${cell(columns.lastName)}`;
  return {
    email: emailAddress(address),
    name: oneLine('name', name),
    company: oneLine('company', cell(columns.company)) || null,
    custom_fields: custom,
  };
}

function oneLine(field: string, text: string): string {
  const trimmed = text.trim();
  if (PLAIN_LINE.test(trimmed)) return trimmed;
  const checked = line.safeParse(text);
  if (!checked.success) throw invalid(`${field}: ${checked.error.issues[0]?.message}`);
  return checked.data;
}

/** Surplus empty cells are normal for spreadsheets; any other width means that values may be in the wrong columns. */
function requireWidth(cells: readonly string[], width: number): void {
  if (cells.length < width || cells.slice(width).some((extra) => extra !== ''))
    throw invalid(
      `has ${quantity(cells.length, 'column')} where the header has ${width}; is a value that contains the delimiter not quoted?`,
    );
  if (cells.some((text) => text.length > MAX_CELL_BYTES)) throw invalid('a value is longer than 64 KiB');
}

/** Formats a row for COPY's text format: line, email, name, company, custom_fields (PostgreSQL manual, COPY). */
export function copyLine(number: number, row: ImportedRow): string {
  const company = row.company === null ? '\\N' : copyText(row.company);
  return `${number}\t${copyText(row.email)}\t${copyText(row.name)}\t${company}\t${copyText(JSON.stringify(row.custom_fields))}\n`;
}

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Text as a value of COPY's text format. */
export const copyText = (text: string): string =>
  /[\\\n\r\t]/.test(text) ? text.replaceAll(/[\\\n\r\t]/g, (character) => ESCAPES[character] ?? '') : text;

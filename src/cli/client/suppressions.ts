import { invalid } from '../../core/errors.ts';
import type { CsvRecord } from '../../files/csv-records.ts';
import { readRows } from '../../files/read-rows.ts';
import type { Api } from './api.ts';

/** A suppression, as the API shows it. */
export type Suppression = Awaited<ReturnType<Api['suppressions']['add']['mutate']>>;

/** A row of a file of suppressions. */
export interface FileSuppression {
  line: number;
  email: string;
  reason: string | null;
}

const ADDRESSES = ['email', 'e-mail', 'mail', 'address', 'email address', 'domain'];
const REASONS = ['reason', 'note', 'comment'];

/**
 * Reads addresses and domains from a file: one a line, or CSV with a column `email`, `address` or `domain` and perhaps `reason`. A
 * domain in a column of that name needs no @. Throws `invalid_request` for a file in which no column is recognised.
 */
export async function readSuppressions(path: string): Promise<FileSuppression[]> {
  const rows = await readRows(path);
  const [address, reason] = columnsOf(path, rows[0]);
  const isDomain = address.name === 'domain';
  return rows.slice(address.name === undefined ? 0 : 1).map(({ line, cells }) => {
    const text = cells[address.index] ?? '';
    return { line, email: isDomain && !text.includes('@') ? `@${text}` : text, reason: reasonOf(cells[reason]) };
  });
}

function columnsOf(path: string, first: CsvRecord | undefined): [address: { index: number; name?: string }, reason: number] {
  const names = (first?.cells ?? []).map((cell) => cell.toLowerCase());
  const index = names.findIndex((name) => ADDRESSES.includes(name));
  if (index >= 0) return [{ index, name: names[index] ?? '' }, names.findIndex((name) => REASONS.includes(name))];
  if (names[0]?.includes('@')) return [{ index: 0 }, -1];
  throw invalid(`${path}: no column is recognised as the address; name it email in the first line`);
}

/** One line of at most 500 characters, as the API takes it. */
const reasonOf = (text = ''): string | null =>
  text
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .slice(0, 500)
    .trim() || null;

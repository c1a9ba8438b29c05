import { standardField } from '../../contacts/import/index.ts';
import { invalid } from '../../core/errors.ts';
import { writtenAddress } from '../../core/written-address.ts';
import type { CsvRecord } from '../../files/csv-records.ts';
import { readRows } from '../../files/read-rows.ts';

/** The content of a file of suppressions. */
export interface SuppressionFile {
  rows: FileSuppression[];
  /** The columns of the file; only `email` if they have no names. */
  columns: { name: string; fills: 'address' | 'reason' | null }[];
  /** Number of addresses from which surrounding text was removed. */
  cleaned: number;
}

/** A row of a file of suppressions. */
interface FileSuppression {
  line: number;
  email: string;
  reason: string | null;
  /** As written in the file. */
  cells: string[];
}

/** Headers of the column of addresses, besides those that an import of contacts takes for the email address. */
const ADDRESSES = ['address', 'domain'];
const REASONS = ['reason', 'note', 'comment', 'grund', 'motivo', 'motif'];

/**
 * Reads addresses and domains from a file: one a line, or CSV with a column `email`, `address` or `domain` and perhaps `reason`. A
 * domain in a column of that name needs no @. Cleans addresses as an import of contacts does. Throws `invalid_request` for a file in
 * which no column is recognised.
 * @param skipLines number of lines above the header, or above the first address; detected if it is undefined
 */
export async function readSuppressions(path: string, skipLines?: number): Promise<SuppressionFile> {
  const records = await readRows(path, { skipLines });
  const [address, reason] = columnsOf(path, records[0], (name) => ADDRESSES.includes(name) || standardField(name) === 'email');
  const isDomain = address.name === 'domain';
  let cleaned = 0;
  const rows = records.slice(address.name === undefined ? 0 : 1).map(({ line, cells }) => {
    const text = cells[address.index] ?? '';
    const email = text.includes('@') ? writtenAddress(text) : text;
    if (email !== text.trim()) cleaned++;
    return { line, email: isDomain && !email.includes('@') ? `@${email}` : email, reason: reasonOf(cells[reason]), cells };
  });
  const names = address.name === undefined ? ['email'] : (records[0]?.cells ?? []);
  const fills = (index: number) => (index === address.index ? 'address' : index === reason ? 'reason' : null);
  return { rows, columns: names.map((name, index) => ({ name, fills: fills(index) })), cleaned };
}

function columnsOf(
  path: string,
  first: CsvRecord | undefined,
  isAddress: (name: string) => boolean,
): [address: { index: number; name?: string }, reason: number] {
  const names = (first?.cells ?? []).map((cell) => cell.toLowerCase());
  const index = names.findIndex(isAddress);
  if (index >= 0) return [{ index, name: names[index] ?? '' }, names.findIndex((name) => REASONS.includes(name))];
  if (names[0]?.includes('@')) return [{ index: 0 }, -1];
  throw invalid(
    `${path}: no column is recognised as the address; name it email in the first line, or use --skip-lines if there are lines above it`,
  );
}

/** One line of at most 500 characters, as the API takes it. */
const reasonOf = (text = ''): string | null =>
  text
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .slice(0, 500)
    .trim() || null;

import { Flags, type Interfaces } from '@oclif/core';
import { MAX_PAGE_SIZE, type ReadPage } from '../client/pages.ts';
import { invalid } from '../core/errors.ts';
import { nearest } from '../core/nearest-name.ts';
import { csvText } from '../files/csv-text.ts';

/** The flags of every command that prints a list. */
export const listFlags = {
  all: Flags.boolean({ description: 'print the whole list', exclusive: ['limit'] }),
  columns: Flags.string({ description: 'fields to print, separated by commas', helpValue: 'A,B' }),
  csv: Flags.boolean({ description: 'print CSV with a header row', exclusive: ['json'] }),
  limit: Flags.integer({ description: 'maximum number of rows', default: 50, min: 1, max: 1_000_000, helpValue: 'N' }),
  utc: Flags.boolean({ description: 'print times exactly, in UTC' }),
};

export type ListFlags = Interfaces.InferredFlags<typeof listFlags>;

/** Rows of a list in its order, and the total number; null if the list is not counted and has more rows. */
export interface Listing<Row> {
  rows: Row[];
  total: number | null;
}

/** Returns a reader of a list whose pages continue after the last record, and which is not counted. */
export function readAfter<Row extends { id: number }>(
  read: (page: { limit: number; before?: number }) => Promise<{ data: Row[] }>,
): ReadPage<Row> {
  let last: number | undefined;
  let seen = 0;
  return async ({ limit }) => {
    const { data } = await read(last === undefined ? { limit } : { limit, before: last });
    last = data.at(-1)?.id;
    seen += data.length;
    return { data, pagination: { total: data.length < limit ? seen : null } };
  };
}

/** Reads as many rows of a list as the flags request, page by page. If the list is not counted, checks whether there are more. */
export async function readList<Row>({ all, limit }: Pick<ListFlags, 'all' | 'limit'>, read: ReadPage<Row>): Promise<Listing<Row>> {
  const wanted = all ? Number.POSITIVE_INFINITY : limit;
  const rows: Row[] = [];
  for (;;) {
    const { data, pagination } = await read({ limit: Math.min(MAX_PAGE_SIZE, wanted - rows.length), offset: rows.length });
    rows.push(...data);
    const total = pagination === undefined ? data.length : pagination.total;
    if (total === null && rows.length >= wanted) {
      const { data: more } = await read({ limit: 1, offset: rows.length });
      return { rows, total: more.length === 0 ? rows.length : null };
    }
    if (total === null && data.length === 0) return { rows, total: rows.length };
    if (total === null) continue;
    if (data.length === 0 || pagination === undefined || rows.length >= Math.min(total, wanted))
      return { rows: rows.slice(0, wanted), total: Math.max(total, rows.length) };
  }
}

/**
 * The columns to print: those of --columns, otherwise the usual ones. Throws `invalid_request` for one that is neither usual nor a
 * field of the rows.
 */
export function columnsOf(flags: Pick<ListFlags, 'columns'>, usual: readonly string[], rows: readonly object[]): readonly string[] {
  if (flags.columns === undefined) return usual;
  const known = [...new Set([...usual, ...Object.keys(rows[0] ?? {})])];
  const wanted = flags.columns.split(',').map((name) => name.trim());
  const unknown = rows.length === 0 ? undefined : wanted.find((name) => !known.includes(name));
  if (unknown === undefined) return wanted;
  throw invalid(`--columns: unknown column "${unknown}"${nearest(unknown, known)}; the columns are: ${known.join(', ')}`);
}

/** Rows as CSV with a header row, without a line break at the end. */
export const csv = (rows: readonly object[], columns: readonly string[]): string =>
  csvText([columns, ...rows.map((row) => columns.map((column) => (row as Record<string, unknown>)[column]))]).slice(0, -1);

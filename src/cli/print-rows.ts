import { grouped } from '../core/english.ts';
import { screenOf } from '../terminal/screen.ts';
import { table } from '../terminal/table.ts';
import { columnsOf, csv, type ListFlags, type Listing } from './list-output.ts';
import { printAsIs, printDrawn, say } from './terminal.ts';

/** The JSON document of a list. */
export interface ListDocument {
  data: object[];
  pagination: { total: number | null; limit: number; offset: number };
}

/** The part of a command that printing a list needs. */
interface Printer {
  jsonEnabled(): boolean;
  log(text?: string): void;
}

interface ListOptions<Row> {
  asText?: ((rows: readonly Row[]) => string) | undefined;
  timezone?: string;
  none?: string | undefined;
}

/**
 * Prints a list as --columns and --csv request, and tells when rows were left out.
 * @param usual the columns without --columns
 * @param shown the row as the table shows it; JSON and CSV have the API's values, and take from it only what the API lacks
 * @param options `asText` formats the rows without --columns, instead of a table; `timezone`: zone of the times in a table;
 * `none`: the text for an empty list, printed on stderr so that a pipe gets nothing
 * @returns the JSON document
 */
export function printRows<Row extends object>(
  command: Printer,
  flags: ListFlags,
  usual: readonly string[],
  { rows, total }: Listing<Row>,
  shown: (row: Row) => object = (row) => row,
  { asText, timezone, none = 'None.' }: ListOptions<Row> = {},
): ListDocument {
  const values = rows.map((row): object => ({ ...shown(row), ...row }));
  const columns = columnsOf(flags, usual, values);
  if (flags.csv) printAsIs(csv(values, columns));
  else if (command.jsonEnabled()) {
    // The document is the output.
  } else if (rows.length === 0) say(none);
  else if (asText !== undefined && flags.columns === undefined) command.log(asText(rows));
  else printDrawn(table(rows.map(shown), columns, screenOf({ isUtc: flags.utc, ...(timezone === undefined ? {} : { timezone }) })));
  const isCut = total === null || total > rows.length;
  if (isCut && !command.jsonEnabled()) say(cutNote(flags, rows.length, total));
  return {
    data: flags.columns === undefined ? rows : values.map((row) => picked(row, columns)),
    pagination: { total, limit: flags.all ? (total ?? rows.length) : flags.limit, offset: 0 },
  };
}

const cutNote = ({ all }: ListFlags, count: number, total: number | null): string =>
  all
    ? `Showing ${grouped(count)}, the most that this command reads.`
    : `Showing ${grouped(count)}${total === null ? '; there are more' : ` of ${grouped(total)}`}. Use --all to see all.`;

const picked = (row: object, columns: readonly string[]): object =>
  Object.fromEntries(columns.map((column) => [column, (row as Record<string, unknown>)[column]]));

import { Readable } from 'node:stream';
import { csvText } from '../../files/csv-text.ts';
import { writeWhole } from '../../files/output-file.ts';
import { readRows } from '../../files/read-rows.ts';

/**
 * Writes the rows that an import rejected to a CSV file that can be corrected and imported again: the columns of the imported file, then
 * the reason.
 * @param report the report of the import, which names the lines
 * @returns the number of rejected rows
 */
export async function writeRejected(
  { path, ...format }: { path: string } & NonNullable<Parameters<typeof readRows>[1]>,
  report: string,
  target: string,
): Promise<number> {
  const reasons = new Map<number, string>();
  for (const { cells } of await readRows(report)) if (cells[2] === 'rejected') reasons.set(Number(cells[0]), cells[3] ?? '');
  const [header, ...rows] = await readRows(path, format);
  const rejected = rows.flatMap(({ line, cells }) => {
    const reason = reasons.get(line);
    return reason === undefined ? [] : [{ cells, reason }];
  });
  await writeRejectedRows(target, header?.cells ?? [], rejected);
  return rejected.length;
}

/** Writes rejected rows to a CSV file, with the reason in a column after those of the header. */
export async function writeRejectedRows(
  target: string,
  header: readonly string[],
  rejected: readonly { cells: readonly string[]; reason: string }[],
): Promise<void> {
  const rows = rejected.map(({ cells, reason }) => [
    ...header.map((_, index) => cells[index] ?? ''),
    reason,
    ...cells.slice(header.length),
  ]);
  await writeWhole(target, Readable.from([csvText([[...header, 'rejected because'], ...rows])]));
}

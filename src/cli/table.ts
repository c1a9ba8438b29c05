import { terminalJson, terminalLine } from '../core/terminal-text.ts';

/** Rows as an aligned table, one line each: columns are named as in JSON, `-` is an empty value. */
export function table(rows: readonly object[], columns: readonly string[]): string {
  if (rows.length === 0) return 'none';
  const cells = [
    columns.map((column) => column.toUpperCase()),
    ...rows.map((row) => columns.map((column) => cell((row as Record<string, unknown>)[column]))),
  ];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)));
  return cells
    .map((line) =>
      line
        .map((text, index) => text.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** One record, with one field per line. */
export function record(row: object): string {
  const entries = Object.entries(row);
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, value]) => `${name.padEnd(width)}  ${cell(value)}`).join('\n');
}

function cell(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'object') return terminalJson(JSON.stringify(value));
  return terminalLine(String(value));
}

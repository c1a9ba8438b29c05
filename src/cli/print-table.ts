import { type Screen, screenOf } from '../terminal/screen.ts';
import { table } from '../terminal/table.ts';
import { printDrawn } from './terminal.ts';

/** The part of a command that printing a table needs. */
export interface TablePrinter {
  jsonEnabled(): boolean;
}

/** Prints rows as a table, see `table`; nothing with --json. */
export function printTable(command: TablePrinter, rows: readonly object[], columns: readonly string[], screen: Screen = screenOf()): void {
  if (!command.jsonEnabled()) printDrawn(table(rows, columns, screen));
}

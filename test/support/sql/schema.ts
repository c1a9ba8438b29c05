import { migrations } from '../../../migrations/index.ts';
import { tablesMadeBy } from './uses.ts';

/** The tables that the migrations leave behind when all have run, by name. */
export function tablesOfMigrations(): string[] {
  const tables = new Set<string>();
  for (const { up } of migrations) {
    const { made, dropped } = tablesMadeBy(up);
    for (const table of dropped) tables.delete(table);
    for (const table of made) tables.add(table);
  }
  return [...tables].sort();
}

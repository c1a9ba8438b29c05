import { OutreachError } from '../../core/errors.ts';
import { type CsvWords, findDialect } from '../../files/csv-dialect.ts';
import type { CustomFieldRow } from '../custom-fields.ts';
import { type Columns, findColumns, mapOptions } from './columns.ts';
import { checkRow, type ImportedRow } from './row.ts';
import { firstRecords } from './stage.ts';

/** The mapping of a file and its first rows, before they are imported. */
export interface ImportPreview {
  /**
   * Each column with the field that it fills. The field is null if the column is ignored by a mapping or, with `isUnknown`, not recognized.
   */
  mapping: { column: string; field: string | null; isUnknown: boolean }[];
  /** The first rows, as contacts or with the reason of their refusal. */
  rows: { line: number; contact: ImportedRow | null; reason: string | null }[];
}

/** Number of rows shown before an import begins. */
const EXAMPLES = 3;

/** Reads the first lines of a file. Throws the errors of an import about the file, its columns and its options. */
export async function previewImport(
  request: { path: string; map: readonly string[] } & Parameters<typeof findDialect>[1],
  fields: readonly CustomFieldRow[],
  words: CsvWords,
): Promise<ImportPreview> {
  const dialect = await findDialect(request.path, request, words);
  const source = { path: request.path, words, dialect, signal: undefined, progress: () => undefined };
  const [header, ...rows] = await firstRecords(source, EXAMPLES + 1);
  const names = header?.cells ?? [];
  const columns = findColumns(names, mapOptions(request.map, words), fields, words);
  const filled = fieldsOf(columns);
  return {
    mapping: names.map((name, index) => ({
      column: name.trim() || `column ${index + 1}`,
      field: filled.get(index) ?? null,
      isUnknown: columns.unknown.has(index),
    })),
    rows: rows.map(({ line, cells }) => {
      try {
        return { line, contact: checkRow(cells, columns), reason: null };
      } catch (error) {
        if (!(error instanceof OutreachError)) throw error;
        return { line, contact: null, reason: error.message };
      }
    }),
  };
}

function fieldsOf({ email, name, firstName, lastName, company, custom }: Columns): Map<number, string> {
  const named = Object.entries({ email, name, 'first name': firstName, 'last name': lastName, company });
  return new Map([
    ...named.flatMap(([field, index]): [number, string][] => (index === undefined ? [] : [[index, field]])),
    ...custom.map(({ index, field }): [number, string] => [index, field.name]),
  ]);
}

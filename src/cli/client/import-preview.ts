import type { ImportPreview } from '../../contacts/import/index.ts';
import { namedAddress } from '../../terminal/named-address.ts';

/** The preview of an import as lines: the field of each column, and the first contacts. */
export function previewText({ mapping, rows }: ImportPreview, createsFields: boolean): string {
  return [
    ...columnLines(
      mapping.map(({ column, field, isUnknown }) => [column, field ?? (createsFields && isUnknown ? 'a new custom field' : LEFT_OUT)]),
    ),
    ...rows.map(({ line, contact, reason }) => `Line ${line}: ${contact === null ? `refused: ${reason}` : contactText(contact)}`),
  ].join('\n');
}

export const LEFT_OUT = '(left out)';

/** Returns a line for each column of a file, with the field that it fills. */
export function columnLines(columns: readonly (readonly [column: string, filled: string])[]): string[] {
  const width = Math.max(...columns.map(([column]) => column.length));
  return columns.map(([column, filled]) => `${column.padEnd(width)} → ${filled}`);
}

type Contact = NonNullable<ImportPreview['rows'][number]['contact']>;

function contactText({ email, name, company, custom_fields }: Contact): string {
  const custom = Object.entries(custom_fields).map(([key, value]) => `${key}: ${value}`);
  return [namedAddress(name, email), ...(company === null ? [] : [company]), ...custom].join(', ');
}

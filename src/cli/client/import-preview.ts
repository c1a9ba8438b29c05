import type { ImportPreview } from '../../contacts/import/index.ts';

/** The preview of an import as lines: the field of each column, and the first contacts. */
export function previewText({ mapping, rows }: ImportPreview, createsFields: boolean): string {
  const width = Math.max(...mapping.map(({ column }) => column.length));
  return [
    ...mapping.map(({ column, field, isUnknown }) => {
      const left = createsFields && isUnknown ? 'a new custom field' : '(left out)';
      return `${column.padEnd(width)} → ${field ?? left}`;
    }),
    ...rows.map(({ line, contact, reason }) => `Line ${line}: ${contact === null ? `refused: ${reason}` : contactText(contact)}`),
  ].join('\n');
}

type Contact = NonNullable<ImportPreview['rows'][number]['contact']>;

function contactText({ email, name, company, custom_fields }: Contact): string {
  const custom = Object.entries(custom_fields).map(([key, value]) => `${key}: ${value}`);
  return [name === '' ? email : `${name} <${email}>`, ...(company === null ? [] : [company]), ...custom].join(', ');
}

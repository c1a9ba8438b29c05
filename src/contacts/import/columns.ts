import { invalid } from '../../core/errors.ts';
import type { CsvWords } from '../../files/csv-dialect.ts';
import type { CustomFieldRow } from '../custom-fields.ts';
import { slugOf } from '../field-key.ts';
import { standardField } from './header-words.ts';

/** Column indexes of each kind of value. */
export interface Columns {
  /** Number of cells in a row. */
  width: number;
  email: number;
  name?: number;
  firstName?: number;
  lastName?: number;
  company?: number;
  custom: { index: number; field: CustomFieldRow }[];
  /** Headers of columns that are not imported although no mapping ignores them. */
  ignored: string[];
  /** The indexes of these columns. */
  unknown: ReadonlySet<number>;
}

/** Columns of our own export that an import does not set. */
const READ_ONLY = new Set(['id', 'is_archived', 'is_shared_to_all', 'created_at', 'updated_at']);

/** Fields of the contact itself. A custom field may have such a name, but never such a key. */
const OF_CONTACTS = new Set(['email', 'name', 'company']);

const STANDARD = ['email', 'name', 'first_name', 'last_name', 'company'];

/** Reads mappings `column=field`. The column may be given by its number; the field `-` ignores a column. Throws `invalid_request`. */
export function mapOptions(options: readonly string[], words: CsvWords): Map<string, string> {
  const pairs = new Map<string, string>();
  for (const option of options) {
    const at = option.lastIndexOf('=');
    const column = option.slice(0, at).trim();
    const field = option.slice(at + 1).trim();
    if (at < 1 || column === '' || field === '')
      throw invalid(`${words.option('map')}: must be COLUMN=FIELD, for example "Work mail=email", not "${option}"`);
    if (pairs.has(column)) throw invalid(`${words.option('map')}: the column "${column}" is mapped twice`);
    pairs.set(column, field);
  }
  return pairs;
}

/**
 * Maps each column to a field, by its mapping or else by its name. Throws `invalid_request` if two columns have the same name or field, if
 * no column has the address, and for a mapping with an unknown column or field.
 * @param header the cells of the first row
 */
export function findColumns(
  header: readonly string[],
  mapped: ReadonlyMap<string, string>,
  fields: readonly CustomFieldRow[],
  { option }: CsvWords,
): Columns {
  const map = option('map');
  const names = header.map((cell) => cell.trim());
  // A number means the column at that position, unless a column has that number as its name.
  const numbered = (index: number) => (names.includes(String(index + 1)) ? undefined : mapped.get(String(index + 1)));
  requireDistinct(
    names.map((name, index) => (numbered(index) === undefined ? name : '')),
    map,
  );
  const unknown = [...mapped.keys()].find(
    (column) => !names.includes(column) && !(/^[1-9]\d*$/.test(column) && Number(column) <= names.length),
  );
  if (unknown !== undefined) throw invalid(`${map}: there is no column "${unknown}"; ${listOf(names)}`);
  const columns = new Map<string, number>();
  const ignored = new Map<number, string>();
  for (const [index, name] of names.entries()) {
    const given = numbered(index) ?? mapped.get(name);
    const field = given === undefined ? guess(name, fields, names) : mappedField(given, fields, map);
    if (field === undefined) {
      if (given === undefined && name !== '' && !READ_ONLY.has(name)) ignored.set(index, name);
      continue;
    }
    const other = columns.get(field);
    if (other !== undefined)
      throw invalid(
        `the columns "${names[other]}" and "${name}" both map to ${field}; ignore one of them, for example with ${map} "${name}=-"`,
      );
    columns.set(field, index);
  }
  const email = columns.get('email');
  if (email === undefined) throw invalid(withoutEmail(names, option));
  const custom = fields.flatMap((field) => {
    const index = columns.get(`cf.${field.key}`);
    return index === undefined ? [] : [{ index, field }];
  });
  return {
    ...{ width: header.length, email, custom, ignored: [...ignored.values()], unknown: new Set(ignored.keys()) },
    ...at('name', columns.get('name')),
    ...at('firstName', columns.get('first_name')),
    ...at('lastName', columns.get('last_name')),
    ...at('company', columns.get('company')),
  };
}

const at = <Name extends string>(name: Name, index: number | undefined) =>
  (index === undefined ? {} : { [name]: index }) as { [K in Name]?: number };

const listOf = (names: readonly string[]) => `the columns are: ${names.filter((name) => name !== '').join(', ')}`.slice(0, 500);

function withoutEmail(names: readonly string[], option: CsvWords['option']): string {
  if (names.every((name) => name === '')) return 'the line of the header is blank; it must name the columns, such as email,name,company';
  if (names.some((name) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(name)))
    return 'the first line must name the columns, but it contains an email address; add a line such as email,name,company above it';
  return (
    `no column is recognised as the email address; ${listOf(names)}; to choose one, use ${option('map')} COLUMN=email; ` +
    `if these are not the names of columns, use ${option('skip-lines')} with the number of lines above them`
  );
}

function requireDistinct(names: readonly string[], map: string): void {
  const seen = new Map<string, number>();
  for (const [index, name] of names.entries()) {
    const first = seen.get(name.toLowerCase());
    if (name !== '' && first !== undefined)
      throw invalid(`columns ${first + 1} and ${index + 1} are both named "${name}"; to leave one out, use ${map} "${index + 1}=-"`);
    seen.set(name.toLowerCase(), index);
  }
}

/** Guesses the field of a column from its name; `cf.<key>` for a custom field, which cannot clash with a standard one. */
function guess(name: string, fields: readonly CustomFieldRow[], names: readonly string[]): string | undefined {
  if (READ_ONLY.has(name)) return undefined;
  const standard = standardField(name, names);
  return OF_CONTACTS.has(name.toLowerCase()) ? standard : (customField(name, fields) ?? standard);
}

function customField(name: string, fields: readonly CustomFieldRow[]): string | undefined {
  const key = name.startsWith('cf.') ? name.slice(3) : name;
  const slug = slugOf(key);
  const field =
    fields.find((one) => one.key === key) ?? fields.find((one) => one.name.toLowerCase() === key.toLowerCase() || one.key === slug);
  return field === undefined ? undefined : `cf.${field.key}`;
}

/** Returns the field that a mapping names, undefined for `-`. Throws `invalid_request` for an unknown field. */
function mappedField(text: string, fields: readonly CustomFieldRow[], map: string): string | undefined {
  if (text === '-') return undefined;
  const field = STANDARD.includes(text) ? text : customField(text, fields);
  if (field === undefined)
    throw invalid(
      `${map}: there is no field "${text}"; use ${[...STANDARD, ...fields.map(({ key }) => key)].join(', ')}, or - to ignore the column`.slice(
        0,
        600,
      ),
    );
  return field;
}

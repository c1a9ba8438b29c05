import { either, grouped } from '../core/english.ts';
import { invalid } from '../core/errors.ts';
import { type Option, type OptionTable, optionNames, type TextPattern } from './option.ts';

/** Returns the name of the flag that sets an option; null if a command reads it from a flag of its own. */
export const flagOf = (name: string, { flag = name.replaceAll('_', '-') }: Option): string | null => flag;

/**
 * Returns the text of an option for the help of its flag, with the accepted values if they are not obvious: `emails per day (1 to 100, or
 * none)`.
 */
export function flagText(option: Option): string {
  const { text, example, type } = option;
  const values =
    type === 'integer'
      ? [rangeText(option)]
      : example != null && (type === 'text' || type === 'list')
        ? [`such as ${valueText(example)}`]
        : [];
  const taken = [...values, ...(canBeNone(option) ? ['or none'] : [])].join(', ');
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}${taken === '' ? '' : ` (${taken})`}`;
}

const rangeText = ({ min, max }: { min: number; max: number }): string => `${min} to ${grouped(max)}`;

/**
 * Parses the value of an option on the command line or in a CSV file: `none` unsets it, commas separate items. Zones, regions and addresses
 * are left to the schema. Throws `invalid_request`, without the option's name.
 */
export function readOption(option: Option, text: string): unknown {
  if (text === 'none' && canBeNone(option)) return option.default === null ? null : [];
  switch (option.type) {
    case 'boolean':
      return oneOf(['true', 'false'], text) === 'true';
    case 'choice':
      return oneOf(option.values, text);
    case 'integer':
      return readInteger(option, text, option);
    case 'id':
      return readInteger(option, text);
    case 'text':
      return matching(option.of, inCase(text, option.letters));
    default:
      return text.split(',').map((item) => item.trim());
  }
}

const inCase = (text: string, letters: 'upper' | 'lower' | undefined): string =>
  letters === undefined ? text : letters === 'upper' ? text.toUpperCase() : text.toLowerCase();

function matching(of: string | TextPattern, text: string): string {
  if (typeof of === 'object' && !of.pattern.test(text)) throw invalid(of.fault);
  return text;
}

const canBeNone = (option: Option): boolean => option.default === null || option.type === 'list';

function oneOf(values: readonly string[], text: string): string {
  if (!values.includes(text)) throw invalid(`must be ${either(values)}, not "${text}"`);
  return text;
}

function readInteger(option: Option, text: string, range?: { min: number; max: number }): number {
  const value = Number(text);
  if (!/^\d{1,9}$/.test(text)) throw invalid(`must be a whole number${canBeNone(option) ? ' or none' : ''}, not "${text}"`);
  if (range !== undefined && (value < range.min || value > range.max))
    throw invalid(`must be a whole number from ${range.min} to ${range.max}`);
  return value;
}

const SWITCH = { true: 'on', false: 'off' } as const;

/** Formats a value for people: `on`, `14-17, 19-20`, `none`. For a list of objects, their number. */
export function valueText(value: unknown): string {
  if (typeof value === 'boolean') return SWITCH[`${value}`];
  if (!Array.isArray(value)) return String(value ?? 'none');
  if (value.length === 0) return 'none';
  return value.every((item) => typeof item === 'string') ? value.join(', ') : String(value.length);
}

/** Lists the options of a table that differ from their default, as `stop company: on`. */
export function changedOptions(table: OptionTable, values: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(table)
    .filter(([name, option]) => JSON.stringify(values[name]) !== JSON.stringify(option.default))
    .map(([name]) => `${name.replaceAll('_', ' ')}: ${valueText(values[name])}`);
}

/** Writes the table of options for the documentation, as Markdown. */
export function optionsTable(table: OptionTable): string {
  const rows = optionNames(table).map((name) => {
    const option = table[name] as Option;
    const flag = flagOf(name, option);
    return `| \`${name}\` | ${flag === null ? '' : `\`--${flag}\``} | ${valuesText(option)} | ${valueText(option.default) || 'empty'} | ${option.text.replaceAll('|', '\\|')} |`;
  });
  return ['| name | flag | values | default | meaning |', '|---|---|---|---|---|', ...rows].join('\n');
}

function valuesText(option: Option): string {
  switch (option.type) {
    case 'boolean':
      return '`true`, `false`';
    case 'choice':
      return option.values.map((value) => `\`${value}\``).join(', ');
    case 'integer':
      return rangeText(option);
    case 'id':
      return 'an id';
    case 'text':
      return option.of === 'line'
        ? `up to ${grouped(option.max)} characters`
        : `such as \`${valueText(option.example ?? option.default)}\``;
    case 'list':
      return `up to ${option.most}, such as \`${valueText(option.example)}\``;
    case 'objects':
      return `up to ${option.most} objects`;
  }
}

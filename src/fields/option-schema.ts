import { z } from 'zod';
import { either } from '../core/english.ts';
import { bodyId, emailText, holidayRegion, singleLine, trueOrFalse, zoneName } from './fields.ts';
import type { Option, OptionTable, TextPattern } from './option.ts';

/** The schemas of the options of a table, by name, except those that are lists of objects. */
type OptionSchemas<Table extends OptionTable> = {
  -readonly [Name in keyof Table as Table[Name]['type'] extends 'objects' ? never : Name]: z.ZodType<
    Table[Name]['default'],
    Table[Name]['default']
  >;
};

/** Builds schemas that check and document the options of a table, for requests, responses and campaign files. */
export function schemasOf<Table extends OptionTable>(table: Table): OptionSchemas<Table> {
  const declared = Object.entries(table).filter(([, option]) => option.type !== 'objects');
  return Object.fromEntries(declared.map(([name, option]) => [name, schemaOf(name, option)])) as OptionSchemas<Table>;
}

/** Returns the documentation of an option: its text and an example. */
export function documented({ text, default: initial, example = initial ?? undefined }: Option): { description: string; example?: unknown } {
  return example === undefined ? { description: text } : { description: text, example };
}

/** One schema for each option, because it has a name in the API document, and two schemas can't have the same name. */
const SCHEMAS = new WeakMap<Option, z.ZodType>();

function schemaOf(name: string, option: Option): z.ZodType {
  const known = SCHEMAS.get(option);
  if (known !== undefined) return known;
  const value = valueSchema(option);
  const schema = (option.default === null ? value.nullable() : value).meta({ ...documented(option), ...componentOf(name, option) });
  SCHEMAS.set(option, schema);
  return schema;
}

/** Returns the name of an option in the API document, if it has a type of its own: `provider_match` is a ProviderMatch. */
function componentOf(name: string, option: Option): { id?: string } {
  const hasType = option.type === 'choice' || option.type === 'list' || (option.type === 'text' && option.of === 'region');
  return hasType ? { id: name.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase()) } : {};
}

function valueSchema(option: Option): z.ZodType {
  switch (option.type) {
    case 'boolean':
      return trueOrFalse;
    case 'choice':
      return z.enum(option.values as string[], `must be ${either(option.values)}`);
    case 'integer': {
      const fault = `must be a whole number from ${option.min} to ${option.max}`;
      return z.number(fault).int(fault).min(option.min, fault).max(option.max, fault);
    }
    case 'id':
      return bodyId;
    case 'text':
      if (option.of === 'zone') return zoneName;
      if (option.of === 'region') return holidayRegion;
      return option.of === 'line' ? singleLine(option.max) : patternText(option.of).max(option.max, `at most ${option.max} characters`);
    case 'list':
      return z
        .array(option.of === 'email' ? emailText : patternText(option.of, true), 'must be a list')
        .max(option.most, `at most ${option.most}`);
    case 'objects':
      throw new Error('a list of objects has a schema of its own');
  }
}

const patternText = ({ pattern, documented: jsonPattern = pattern.source, fault }: TextPattern, isOneOfSeveral = false) =>
  z
    .string(fault)
    .regex(pattern, { error: ({ input }) => (isOneOfSeveral ? `"${String(input).slice(0, 60)}" ${fault}` : fault) })
    .meta({ pattern: jsonPattern });

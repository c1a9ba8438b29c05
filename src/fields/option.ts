/** The part of a declaration that options of all types share. */
interface Declared<Value> {
  /** Describes what it does, as a sentence without a full stop. Every place that explains the option prints this text. */
  text: string;
  /** Its value until it is set. An option whose default is null can be unset. */
  default: Value;
  /** A value for documentation, if the default is not instructive. */
  example?: Value;
  /** Placeholder for a value in the help of its flag, such as `N`. */
  placeholder?: string;
  /** Its flag, if it differs from its name with hyphens. Null if a command reads it from a flag of its own. */
  flag?: string | null;
}

type Optional<Value> = Omit<Declared<Value | null>, 'default'>;

/** Lines of text that match a pattern. */
export interface TextPattern {
  pattern: RegExp;
  /** The pattern for JSON Schema, if it differs. */
  documented?: string;
  /** The message for a text that does not match. */
  fault: string;
}

/** One line of at most `max` characters, a time zone, or a region whose public holidays are known. */
interface TextRules {
  of: 'line' | 'zone' | 'region' | TextPattern;
  max: number;
  /** The case to which a flag converts a text. */
  letters?: 'upper' | 'lower';
}

/** At most `most` addresses, or texts that match a pattern. */
interface ListRules {
  of: 'email' | TextPattern;
  most: number;
}

type OptionType =
  | { type: 'boolean' }
  | { type: 'choice'; values: readonly string[] }
  | { type: 'integer'; min: number; max: number }
  /** The id of another record. */
  | { type: 'id' }
  | ({ type: 'text' } & TextRules)
  | ({ type: 'list' } & ListRules)
  /** Objects, whose schema is defined by the API and by campaign files. */
  | { type: 'objects'; most: number };

/** The declaration of an option. Its column, its schemas, its flag and its documentation derive from it. */
export type Option<Value = unknown> = Declared<Value> & OptionType;

/** Options by name. The name is that of the column, of the API's field and of the key in campaign files; the flag has hyphens. */
export type OptionTable = Readonly<Record<string, Option>>;

/** The values of the options of a table, by name. */
export type OptionValues<Table extends OptionTable> = { -readonly [Name in keyof Table]: Table[Name]['default'] };

export const onOff = (declared: Declared<boolean>) => ({ type: 'boolean' as const, ...declared });

export const choice = <const Value extends string>(values: readonly Value[], declared: Declared<Value>) => ({
  ...{ type: 'choice' as const, values },
  ...declared,
});

export const integer = (min: number, max: number, declared: Declared<number>) => ({ type: 'integer' as const, min, max, ...declared });

export const integerOrNone = (min: number, max: number, declared: Optional<number>) => ({
  ...{ type: 'integer' as const, min, max, default: null as number | null },
  ...declared,
});

export const idOrNone = (declared: Optional<number>) => ({ type: 'id' as const, default: null as number | null, ...declared });

export const text = (rules: TextRules, declared: Declared<string>) => ({ type: 'text' as const, ...rules, ...declared });

export const textOrNone = (rules: TextRules, declared: Optional<string>) => ({
  ...{ type: 'text' as const, default: null as string | null },
  ...rules,
  ...declared,
});

export const list = (rules: ListRules, declared: Omit<Declared<string[]>, 'default'>) => ({
  ...{ type: 'list' as const, default: [] as string[] },
  ...rules,
  ...declared,
});

export const objects = <Item>(most: number, declared: Omit<Declared<Item[]>, 'default'>) => ({
  ...{ type: 'objects' as const, most, default: [] as Item[] },
  ...declared,
});

/** Returns the names of the options of a table, in its order. */
export const optionNames = <Table extends OptionTable>(table: Table) => Object.keys(table) as (keyof Table & string)[];

/** Returns the defaults of a table. */
export const defaultsOf = <Table extends OptionTable>(table: Table) =>
  Object.fromEntries(Object.entries(table).map(([name, option]) => [name, option.default])) as OptionValues<Table>;

/** The part of a declaration that options of all types have. */
interface Declared<Value> {
  /** Says what it does, as a sentence without a full stop. Every place that explains the option prints this text. */
  text: string;
  /** Its value until somebody sets it. An option whose default is null can be unset. */
  default: Value;
  /** A value for documentation, where the default shows nothing. */
  example?: Value;
  /** Stands for a value in the help of its flag, such as `N`. */
  placeholder?: string;
  /** Its flag, if that is not its name with hyphens. Null: a command reads it from a flag of its own. */
  flag?: string | null;
}

type Optional<Value> = Omit<Declared<Value | null>, 'default'>;

/** Lines of text that match a pattern. */
export interface TextPattern {
  pattern: RegExp;
  /** The pattern as JSON Schema writes it, if it says more. */
  documented?: string;
  /** The message for a text that does not match. */
  fault: string;
}

/** One line of at most `max` characters, a time zone, or a region whose public holidays are known. */
interface TextRules {
  of: 'line' | 'zone' | 'region' | TextPattern;
  max: number;
  /** The case that a flag brings a text into. */
  letters?: 'upper' | 'lower';
}

/** Addresses, or texts of a pattern, `most` of them. */
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
  /** Objects, whose schema the API and campaign files have. */
  | { type: 'objects'; most: number };

/** The declaration of an option. Its column, its schemas, its flag and the lines about it derive from it. */
export type Option<Value = unknown> = Declared<Value> & OptionType;

/** Options by name. The name is that of the column, of the API's field and of the key in campaign files; the flag has hyphens. */
export type OptionTable = Readonly<Record<string, Option>>;

/** The values of the options of a table, by name. */
export type OptionValues<Table extends OptionTable> = { -readonly [Name in keyof Table]: Table[Name]['default'] };

export const onOff = (said: Declared<boolean>) => ({ type: 'boolean' as const, ...said });

export const choice = <const Value extends string>(values: readonly Value[], said: Declared<Value>) => ({
  ...{ type: 'choice' as const, values },
  ...said,
});

export const integer = (min: number, max: number, said: Declared<number>) => ({ type: 'integer' as const, min, max, ...said });

export const integerOrNone = (min: number, max: number, said: Optional<number>) => ({
  ...{ type: 'integer' as const, min, max, default: null as number | null },
  ...said,
});

export const idOrNone = (said: Optional<number>) => ({ type: 'id' as const, default: null as number | null, ...said });

export const text = (rules: TextRules, said: Declared<string>) => ({ type: 'text' as const, ...rules, ...said });

export const textOrNone = (rules: TextRules, said: Optional<string>) => ({
  ...{ type: 'text' as const, default: null as string | null },
  ...rules,
  ...said,
});

export const list = (rules: ListRules, said: Omit<Declared<string[]>, 'default'>) => ({
  ...{ type: 'list' as const, default: [] as string[] },
  ...rules,
  ...said,
});

export const objects = <Item>(most: number, said: Omit<Declared<Item[]>, 'default'>) => ({
  ...{ type: 'objects' as const, most, default: [] as Item[] },
  ...said,
});

/** The names of the options of a table, in its order. */
export const optionNames = <Table extends OptionTable>(table: Table) => Object.keys(table) as (keyof Table & string)[];

/** The defaults of a table. */
export const defaultsOf = <Table extends OptionTable>(table: Table) =>
  Object.fromEntries(Object.entries(table).map(([name, option]) => [name, option.default])) as OptionValues<Table>;

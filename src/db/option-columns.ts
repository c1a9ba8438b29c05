import { p } from '@mikro-orm/core';
import type { Option, OptionTable } from '../fields/option.ts';

/** The columns of the options of a table, as MikroORM types them. */
type OptionColumns<Table extends OptionTable> = {
  -readonly [Name in keyof Table]: {
    '~type'?: { value: NonNullable<Table[Name]['default']> };
    '~options': null extends Table[Name]['default'] ? { nullable: true } : { default: boolean };
  };
};

/** Properties of an entity: a column of the same name for each option of a table, with its default. */
export function columnsOf<Table extends OptionTable>(table: Table): OptionColumns<Table> {
  return Object.fromEntries(Object.entries(table).map(([name, option]) => [name, columnOf(option)])) as unknown as OptionColumns<Table>;
}

function columnOf(option: Option) {
  switch (option.type) {
    case 'boolean':
      return p.boolean().default(option.default as boolean);
    case 'integer':
    case 'id':
      return option.default === null ? p.integer().nullable() : p.integer().default(option.default as number);
    case 'choice':
    case 'text':
      return option.default === null ? p.text().nullable() : p.text().default(option.default as string);
    case 'list':
      return p.array().columnType('text[]').default([]);
    case 'objects':
      return p.json<unknown[]>().default([]);
  }
}

import { join, raw, type Sql, sql } from './statement.ts';
import { timestamp } from './timestamp.ts';

/** The columns of an entity that a row can show. The names of timestamps end in `_at`, and no other names do. */
type ColumnOf<Entity> = {
  [Name in keyof Entity & string]: (NonNullable<Entity[Name]> extends Date ? true : false) extends (
    Name extends `${string}_at`
      ? true
      : false
  )
    ? Name
    : never;
}[keyof Entity & string];

/** The row that `selectColumns` selects: the types of the entity, with times as the API shows them. */
export type RowOf<Entity, Name extends ColumnOf<Entity>> = { -readonly [Column in Name]: Shown<Entity[Column]> };

type Shown<Value> = Value extends Date ? string : Value extends undefined ? never : Value;

/** A select list of columns of an entity, each under its name. */
export const selectColumns = <Entity>(alias: string, names: readonly ColumnOf<Entity>[]): Sql =>
  join(names.map((name) => (name.endsWith('_at') ? sql`${timestamp(`${alias}.${name}`)} as ${raw(name)}` : raw(`${alias}.${name}`))));

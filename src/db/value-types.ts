import pg, { type CustomTypesConfig } from 'pg';

/**
 * The one type of each kind of value where it comes out of the database, on every connection:
 * - int8, and sums and counts of it (numeric): a number, since every id and count of ours stays far below 2^53
 * - timestamptz: a `Date`, to the millisecond
 * - date: `YYYY-MM-DD`, since a day has no zone
 *
 * Everything else is as pg has it: json parsed, arrays of the above as arrays.
 */
export const VALUE_TYPES = new pg.TypeOverrides();

const { INT8, NUMERIC, DATE } = pg.types.builtins;
for (const type of [INT8, NUMERIC]) VALUE_TYPES.setTypeParser(type, Number);
VALUE_TYPES.setTypeParser(DATE, String);

/** The same types, for a statement whose values are told of before they are parsed. It fails with what `tell` throws. */
export const countedTypes = (tell: (characters: number) => void): CustomTypesConfig => ({
  getTypeParser: (type: number) => {
    const parse: (value: string) => unknown = (VALUE_TYPES as CustomTypesConfig).getTypeParser(type);
    return (value: string) => {
      tell(value.length);
      return parse(value);
    };
  },
});

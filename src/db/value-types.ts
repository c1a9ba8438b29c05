import pg, { type CustomTypesConfig } from 'pg';

/**
 * The JavaScript types of values that the database returns, on every connection:
 * - int8, and sums and counts of it (numeric): a number, since every id and count of ours stays far below 2^53
 * - timestamptz: a `Date`, to the millisecond
 * - date: `YYYY-MM-DD`, since a day has no zone
 *
 * Everything else is as pg parses it: json parsed, arrays of the above as arrays.
 */
export const VALUE_TYPES = new pg.TypeOverrides();

const { INT8, NUMERIC, DATE } = pg.types.builtins;
for (const type of [INT8, NUMERIC]) VALUE_TYPES.setTypeParser(type, Number);
VALUE_TYPES.setTypeParser(DATE, String);

/**
 * Returns the same types for a statement whose values are counted before they are parsed. If `count` throws, the statement fails with that
 * error.
 */
export const countedTypes = (count: (characters: number) => void): CustomTypesConfig => ({
  getTypeParser: (type: number) => {
    const parse: (value: string) => unknown = (VALUE_TYPES as CustomTypesConfig).getTypeParser(type);
    return (value: string) => {
      count(value.length);
      return parse(value);
    };
  },
});

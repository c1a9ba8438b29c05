import { raw, type Sql } from '../db/statement.ts';

/** The columns of totals that add up the log, each with its condition for counting an event `e`. */
const COUNTED = {
  events: () => 'true',
  emails: (e: string) => `${e}.is_first_of_email`,
  contacts: (e: string) => `${e}.is_first_of_contact`,
  first_emails: (e: string) => `${e}.is_first_of_email and ${e}.is_of_first_email`,
};

export type Sum = keyof typeof COUNTED;

const listed = (write: (sum: string, isCounted: (e: string) => string) => string): Sql =>
  raw(
    Object.entries(COUNTED)
      .map(([sum, isCounted]) => write(sum, isCounted))
      .join(', '),
  );

/** The names of the sums, as a list of columns. */
export const SUMS = listed((sum) => sum);

/** Sums over the rows of the log with this alias. */
export const loggedSums = (alias: string): Sql =>
  listed((sum, isCounted) => `(count(*) filter (where ${isCounted(alias)}))::int as ${sum}`);

/** The same for one row, as 0 or 1. */
export const rowSums = (alias: string): Sql => listed((sum, isCounted) => `(${isCounted(alias)})::int as ${sum}`);

/** Adds the inserted sums to a conflicting row of `t`, for `on conflict do update set`. */
export const ADD_SUMS = listed((sum) => `${sum} = t.${sum} + excluded.${sum}`);

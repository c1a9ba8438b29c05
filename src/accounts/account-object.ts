import { raw, type Sql, sql } from '../db/statement.ts';

/** Builds the JSON object of an account for webhook messages, from the row with this alias. */
export function accountObject(alias: string): Sql {
  const a = raw(alias);
  return sql`json_build_object('id', ${a}.id, 'email', ${a}.email)`;
}

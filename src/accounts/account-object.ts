import { raw, type Sql, sql } from '../db/statement.ts';

/** An account as the data of a webhook message names it, from the row under that alias. */
export function accountObject(alias: string): Sql {
  const a = raw(alias);
  return sql`json_build_object('id', ${a}.id, 'email', ${a}.email)`;
}

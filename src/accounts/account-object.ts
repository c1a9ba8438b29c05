import { raw, type Sql, sql } from '../db/statement.ts';

/** JSON object of an account in webhook messages, from the row under this alias. */
export function accountObject(alias: string): Sql {
  const a = raw(alias);
  return sql`json_build_object('id', ${a}.id, 'email', ${a}.email)`;
}

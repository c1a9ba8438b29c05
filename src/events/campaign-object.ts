import { raw, type Sql, sql } from '../db/statement.ts';

/** A campaign as the data of a webhook message names it, from the row under that alias. */
export function campaignObject(alias: string): Sql {
  const c = raw(alias);
  return sql`json_build_object('id', ${c}.id, 'name', ${c}.name, 'status', ${c}.status)`;
}

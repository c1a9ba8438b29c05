import { raw, type Sql, sql } from '../db/statement.ts';

/** Builds the JSON object `{ id, name, status }` of a campaign for webhook messages, from the row with this alias. */
export function campaignObject(alias: string): Sql {
  const c = raw(alias);
  return sql`json_build_object('id', ${c}.id, 'name', ${c}.name, 'status', ${c}.status)`;
}

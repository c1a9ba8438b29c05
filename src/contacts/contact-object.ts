import { raw, type Sql, sql } from '../db/statement.ts';

/**
 * JSON object of a contact in webhook messages, from the row under this alias. Values of deleted custom fields are left
 * out, as in the API.
 */
export function contactObject(alias: string): Sql {
  const k = raw(alias);
  return sql`json_build_object('id', ${k}.id, 'name', ${k}.name, 'email', ${k}.email, 'company', ${k}.company,
    'custom_fields', ${k}.custom_fields - coalesce((select array_agg(f.key) from custom_fields f
      where f.workspace_id = ${k}.workspace_id and f.deleted_at is not null), '{}'))`;
}

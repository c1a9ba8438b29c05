import { raw, type Sql, sql } from '../db/statement.ts';

/** A message has at most 20,000 bytes. The fields of one contact can take two megabytes, in the message to each webhook. */
const MAX_BYTES = raw('16000');

/**
 * Builds the JSON object of a contact in webhook messages, from the row under this alias. Omits values of deleted custom fields, as the API
 * does. `custom_fields` is null if they are too large for a message.
 */
export function contactObject(alias: string): Sql {
  const k = raw(alias);
  return sql`json_build_object('id', ${k}.id, 'name', ${k}.name, 'email', ${k}.email, 'company', ${k}.company,
    'custom_fields', (select case when octet_length(live.fields::text) <= ${MAX_BYTES} then live.fields end from (
      select ${k}.custom_fields - coalesce((select array_agg(f.key) from custom_fields f
        where f.workspace_id = ${k}.workspace_id and f.deleted_at is not null), '{}') as fields) live))`;
}

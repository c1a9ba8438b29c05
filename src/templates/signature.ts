import { type Caller, visible } from '../access/index.ts';
import { type Queryable, raw, type Sql, sql } from '../db/statement.ts';

/** True if the caller can see a signature with this id. Index: templates_pkey. */
export async function isSignature(db: Queryable, caller: Caller, id: number): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from templates t where t.id = ${id} and t.type = 'signature' and ${visible(caller, 'templates', 't')}`);
  return rows.length > 0;
}

/** HTML of the signature that a row refers to by `signature_template_id`, as an SQL expression; null if there is none. */
export const signatureHtml = (alias: string): Sql =>
  sql`(select t.body_html from templates t where t.id = ${raw(alias)}.signature_template_id and t.deleted_at is null)`;

/** The version of that signature, as an SQL expression: it changes with every change of the template. */
export const signatureVersion = (alias: string): Sql =>
  sql`(select t.xmin from templates t where t.id = ${raw(alias)}.signature_template_id)`;

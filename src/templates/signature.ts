import { type Caller, visible } from '../access/index.ts';
import { type Queryable, raw, type Sql, sql } from '../db/statement.ts';

/** True if the caller can see a signature with this id that is not archived. Index: templates_pkey. */
export async function isSignature(db: Queryable, caller: Caller, id: number): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from templates t where t.id = ${id} and t.type = 'signature' and not t.is_archived and ${visible(caller, 'templates', 't')}`);
  return rows.length > 0;
}

/**
 * SQL expression for the HTML of the signature that a row refers to by `signature_template_id`; null if there is none, or it is archived.
 */
export const signatureHtml = (alias: string): Sql =>
  sql`(select t.body_html from templates t where t.id = ${raw(alias)}.signature_template_id and t.deleted_at is null and not t.is_archived)`;

/** SQL expression for the version of that signature. It changes with every change of the template. */
export const signatureVersion = (alias: string): Sql =>
  sql`(select t.xmin from templates t where t.id = ${raw(alias)}.signature_template_id)`;

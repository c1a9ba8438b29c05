import { type Caller, visible } from '../access/index.ts';
import { notFound } from '../core/errors.ts';
import { lookup, type Queryable, raw, type Sql, sql } from '../db/statement.ts';
import { timestamp } from '../db/timestamp.ts';

/** A contact as the API shows it. */
export interface ContactRow {
  id: number;
  name: string;
  email: string;
  company: string | null;
  custom_fields: Record<string, string>;
  is_archived: boolean;
  is_shared_to_all: boolean;
  created_at: string;
  updated_at: string;
}

/**
 * The columns of a contact of the caller's workspace on the wire, for the alias `c`. Values of deleted custom fields are
 * hidden: there are few deleted fields, so their keys are taken away rather than the live ones picked out.
 */
export const contactColumns = ({ workspaceId }: Caller): Sql => sql`c.id, c.name, c.email, c.company,
  c.custom_fields - coalesce((select array_agg(f.key) from custom_fields f
    where f.workspace_id = ${workspaceId} and f.deleted_at is not null), '{}') as custom_fields,
  c.is_archived, c.is_shared_to_all, ${timestamp('c.created_at')} as created_at, ${timestamp('c.updated_at')} as updated_at`;

/** One contact. Throws `not_found`. Index: contacts_pkey. */
export async function getContact(db: Queryable, caller: Caller, id: number): Promise<ContactRow> {
  const [row] = await db.query<ContactRow>(
    lookup('contact', sql`select ${contactColumns(caller)} from contacts c where c.id = ${id} and ${visible(caller, 'contacts', 'c')}`),
  );
  if (row === undefined) throw notFound('contact');
  return row;
}

/** A literal inside a LIKE pattern: `%`, `_` and the backslash stand for themselves. */
export const likeLiteral = (text: string): string => text.replaceAll(/[\\%_]/g, (character) => `\\${character}`);

/**
 * Contacts whose name, address or company contains the text, in any case. The index is over the three joined by spaces:
 * a match that only exists across their borders, which takes a space, is sorted out by asking each. Index: contacts_text.
 */
export function contactMatches(alias: string, text: string): Sql {
  const c = raw(alias);
  // PostgreSQL folds both sides: JavaScript lowers some letters (the dotted capital I) to others.
  const pattern = sql`lower(${`%${likeLiteral(text)}%`})`;
  const joined = sql`lower(${c}.name || ' ' || ${c}.email || ' ' || coalesce(${c}.company, '')) like ${pattern}`;
  if (!text.includes(' ')) return joined;
  return sql`${joined}
    and (lower(${c}.name) like ${pattern} or lower(${c}.email) like ${pattern} or lower(coalesce(${c}.company, '')) like ${pattern})`;
}

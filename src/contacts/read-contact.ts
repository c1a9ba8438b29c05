import { type Caller, visible } from '../access/index.ts';
import { notFound } from '../core/errors.ts';
import { type RowOf, selectColumns } from '../db/record-row.ts';
import { join, prepared, type Queryable, raw, type Sql, sql } from '../db/statement.ts';
import type { Contact } from './entities.ts';
import { hasTwoForms, likeIgnoringCase, roughlyLike } from './same-letters.ts';

const COLUMNS = ['id', 'name', 'email', 'company', 'is_archived', 'is_shared_to_all', 'created_at', 'updated_at'] as const;

/** A contact in the API. */
export type ContactRow = RowOf<Contact, (typeof COLUMNS)[number] | 'custom_fields'>;

/**
 * Columns of a `ContactRow` of the caller's workspace, for the alias `c`. Hides values of deleted custom fields by removing their keys,
 * which are fewer than the live ones.
 */
export const contactColumns = ({ workspaceId }: Caller): Sql => sql`${selectColumns<Contact>('c', COLUMNS)},
  c.custom_fields - coalesce((select array_agg(f.key) from custom_fields f
    where f.workspace_id = ${workspaceId} and f.deleted_at is not null), '{}') as custom_fields`;

/** Reads one contact. Throws `not_found`. Index: contacts_pkey. */
export async function getContact(db: Queryable, caller: Caller, id: number): Promise<ContactRow> {
  const [row] = await db.query<ContactRow>(
    prepared('contact', sql`select ${contactColumns(caller)} from contacts c where c.id = ${id} and ${visible(caller, 'contacts', 'c')}`),
  );
  if (row === undefined) throw notFound('contact');
  return row;
}

/** Reads id, address and name of contacts, by id. Index: contacts_pkey. */
export async function contactNames(db: Queryable, ids: readonly number[]): Promise<Map<number, Pick<ContactRow, 'id' | 'email' | 'name'>>> {
  const wanted = [...new Set(ids)];
  const rows = await db.query<Pick<ContactRow, 'id' | 'email' | 'name'>>(
    prepared('contact-names', sql`select id, email, name from contacts where id = any(${wanted}::int[])`),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Escapes `%`, `_` and the backslash in a literal for a LIKE pattern. */
export const likeLiteral = (text: string): string => text.replaceAll(/[\\%_]/g, (character) => `\\${character}`);

/**
 * Condition: the contact's name, address or company contains the text, ignoring case. The index covers the three joined by spaces. The
 * columns are also compared one by one for a text with a space, which could match across two of them, and for a text that the index finds
 * only roughly. Index: contacts_text.
 */
export function contactMatches(alias: string, text: string): Sql {
  const c = raw(alias);
  const pattern = `%${likeLiteral(text)}%`;
  const indexed = roughlyLike(joinedText(alias), pattern);
  if (!text.includes(' ') && !hasTwoForms(text)) return indexed;
  const columns = [sql`${c}.name`, sql`${c}.email`, sql`coalesce(${c}.company, '')`];
  const alternatives = columns.map((column) => likeIgnoringCase(column, pattern));
  return sql`${indexed} and (${join(alternatives, ' or ')})`;
}

/** Joins name, address and company, as contacts_text contains them in lower case. */
export function joinedText(alias: string): Sql {
  const c = raw(alias);
  return sql`${c}.name || ' ' || ${c}.email || ' ' || coalesce(${c}.company, '')`;
}

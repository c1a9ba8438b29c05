import { invalid } from '../core/errors.ts';
import { type Queryable, raw, type Sql, sql } from '../db/statement.ts';
import type { Caller } from './caller.ts';

/** The text about the sender in the emails of a workspace. */
export interface WorkspaceFooter {
  /** One line; null if none is set. */
  postal_address: string | null;
  /** HTML with placeholders, added to emails without an unsubscribe link; null for none. */
  footer_html: string | null;
}

const MAX_ADDRESS = 500;

/** Reads the footer of the caller's workspace. */
export async function getWorkspaceFooter(db: Queryable, caller: Caller): Promise<WorkspaceFooter> {
  const [row] = await db.query<WorkspaceFooter>(sql`
    select w.postal_address, w.footer_html from workspaces w where w.id = ${caller.workspaceId}`);
  return row ?? { postal_address: null, footer_html: null };
}

/** Returns the trimmed postal address. Throws `invalid_request` unless it is one line of 1 to 500 characters. */
export function checkedAddress(text: string): string {
  const address = text.trim();
  if (address === '' || address.length > MAX_ADDRESS || /[\p{Cc}\u2028\u2029]/u.test(address))
    throw invalid(`postal_address: must be one line of 1 to ${MAX_ADDRESS} characters`);
  return address;
}

/** A column of the workspace with that id, as an SQL expression. */
const ofWorkspace = (column: Sql, id: string): Sql => sql`(select ${column} from workspaces w where w.id = ${raw(id)})`;
export const footerHtml = (workspaceId: string): Sql => ofWorkspace(sql`w.footer_html`, workspaceId);
export const postalAddress = (workspaceId: string): Sql => ofWorkspace(sql`w.postal_address`, workspaceId);
/** A value that changes with every change of the workspace. */
export const workspaceVersion = (workspaceId: string): Sql => ofWorkspace(sql`w.xmin`, workspaceId);

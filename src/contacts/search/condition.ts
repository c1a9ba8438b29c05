import { type Caller, visible } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { empty, join, type Sql, sql } from '../../db.ts';
import { listCustomFields } from '../custom-fields.ts';
import type { Query } from './ast.ts';
import type { SearchContext } from './field.ts';
import { fieldsOf } from './fields.ts';
import { parse } from './parse.ts';
import { withoutSugar } from './sugar.ts';
import { toSql } from './to-sql.ts';

/** Which contacts `c` a query means, of those that the caller may see. */
export interface SearchCondition {
  condition: Sql;
  /** The same in parts, one of which holds for each of the contacts. */
  alternatives: Sql[];
  /** False when archived contacts are left out. */
  mayBeArchived: boolean;
}

/**
 * Reads a query. Archived contacts are left out unless it says something about `archived`, wherever in it.
 * Throws `invalid_request` with the reason for a text that is no query.
 */
export async function searchCondition(app: App, caller: Caller, text: string): Promise<SearchCondition> {
  const query = parse(text);
  const context: SearchContext = { app, caller, now: app.clock.now(), customFields: await listCustomFields(app.db, caller) };
  const fields = fieldsOf(context);
  const plain = withoutSugar(query, fields);
  const mayBeArchived = mentionsArchived(plain);
  const base = sql`${visible(caller, 'contacts', 'c')}${mayBeArchived ? empty : sql` and not c.is_archived`}`;
  const parts = toSql(plain, context, fields);
  return {
    condition: sql`${base} and (${join(parts, ' or ')})`,
    alternatives: parts.map((part) => sql`${base} and ${part}`),
    mayBeArchived,
  };
}

function mentionsArchived(query: Query): boolean {
  switch (query.kind) {
    case 'text':
      return false;
    case 'not':
      return mentionsArchived(query.operand);
    case 'term':
      return query.field === 'archived';
    default:
      return query.operands.some(mentionsArchived);
  }
}

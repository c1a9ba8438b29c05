import { type Caller, visible } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { empty, join, sql } from '../../db/statement.ts';
import { listCustomFields } from '../custom-fields.ts';
import type { ContactCondition } from '../found-page.ts';
import type { Query } from './ast.ts';
import type { CampaignSearch } from './campaign-search.ts';
import type { SearchContext } from './field.ts';
import { fieldsOf } from './fields.ts';
import { parse } from './parse.ts';
import { withoutSugar } from './sugar.ts';
import { toSql } from './to-sql.ts';

/**
 * Compiles a query. Archived contacts are excluded unless it has a term on `archived` anywhere. Throws `invalid_request`
 * with the reason for an invalid query.
 */
export async function searchCondition(app: App, caller: Caller, text: string, campaigns: CampaignSearch): Promise<ContactCondition> {
  const query = parse(text);
  const now = app.clock.now();
  const customFields = await listCustomFields(app.db, caller);
  // Campaigns are read only if the word occurs in the query, as a field or not.
  const nextSend = /next_send/i.test(text) ? await campaigns.nextSend(app.db, caller, now) : () => sql`false`;
  const context: SearchContext = { app, caller, now, customFields, campaigns, nextSend };
  const fields = fieldsOf(context);
  const plain = withoutSugar(query, fields);
  const mayBeArchived = mentions(plain, 'archived');
  const base = sql`${visible(caller, 'contacts', 'c')}${mayBeArchived ? empty : sql` and not c.is_archived`}`;
  const parts = toSql(plain, context, fields);
  return {
    condition: sql`${base} and (${join(parts, ' or ')})`,
    alternatives: parts.map((part) => sql`${base} and ${part}`),
  };
}

function mentions(query: Query, field: string): boolean {
  switch (query.kind) {
    case 'text':
      return false;
    case 'not':
      return mentions(query.operand, field);
    case 'term':
      return query.field === field;
    default:
      return query.operands.some((operand) => mentions(operand, field));
  }
}

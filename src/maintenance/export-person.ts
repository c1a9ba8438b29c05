import type { App } from '../app.ts';
import { type SentRow, sentColumns, sentHtml } from '../campaigns/index.ts';
import { emailAddress } from '../core/email-address.ts';
import { OutreachError } from '../core/errors.ts';
import { type Queryable, raw, sql } from '../db/statement.ts';
import { addressPattern, findPerson, PERSON_SOURCES } from './person-data.ts';

export interface PersonExport {
  email: string;
  /** RFC 3339. */
  exported_at: string;
  /** Names of the workspaces by id, for the `workspace_id` of the rows. */
  workspaces: Record<string, string>;
  /** Every stored row about the person, by table. */
  data: Record<string, Record<string, unknown>[]>;
}

/** Adds to each email the text that was sent, because its row has only the values. */
async function addTexts(tx: Queryable, rows: Record<string, unknown>[]): Promise<void> {
  const sent = await tx.query<SentRow & { id: number }>(sql`
    select o.id, ${sentColumns('o')} from outbox o where o.id = any(${rows.map(({ id }) => Number(id))}::bigint[])`);
  const texts = new Map(sent.map((row) => [row.id, sentHtml(row)]));
  for (const row of rows) row.body_html = texts.get(Number(row.id)) ?? null;
}

/**
 * Collects everything stored about a person in all workspaces, from one snapshot, in the machine-readable form that GDPR Art. 15 and 20
 * require. Throws `not_found` if nothing is stored.
 */
export async function exportPerson(app: App, address: string): Promise<PersonExport> {
  const email = emailAddress(address);
  return app.db.bulk(
    async (tx) => {
      const person = await findPerson(tx, email);
      const data: PersonExport['data'] = {};
      for (const { table, of, internal = [] } of PERSON_SOURCES.toReversed()) {
        const rows = await tx.query<{ row: Record<string, unknown> }>(sql`
          select to_jsonb(t) - ${internal}::text[] as row from ${raw(table)} t where ${of(person)} order by to_jsonb(t)->'id'`);
        data[table] = rows.map(({ row }) => row);
        if (table === 'outbox') await addTexts(tx, data[table]);
      }
      const mentioned = await tx.query<{ row: Record<string, unknown> }>(sql`
        select to_jsonb(t) as row from audit_log t where t.changes::text ~* ${addressPattern(email)} order by t.id`);
      const known = new Set(data.audit_log?.map(({ id }) => id));
      data.audit_log?.push(...mentioned.map(({ row }) => row).filter(({ id }) => !known.has(id)));
      if (Object.values(data).every((rows) => rows.length === 0)) throw new OutreachError('not_found', `nothing is stored about ${email}`);
      const workspaces = await tx.query<{ id: number; name: string }>(sql`select id, name from workspaces order by id`);
      const used = new Set(Object.values(data).flatMap((rows) => rows.map(({ workspace_id: id }) => id)));
      return {
        email,
        exported_at: app.clock.now().toISOString(),
        workspaces: Object.fromEntries(workspaces.filter(({ id }) => used.has(id)).map(({ id, name }) => [id, name])),
        data,
      };
    },
    { mode: 'isolation level repeatable read read only' },
  );
}

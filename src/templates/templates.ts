import { audit, type Caller, differences, requireShareManager, visible } from '../access/index.ts';
import type { App } from '../app.ts';
import { notFound } from '../core/errors.ts';
import { listPage, type Page, type PageRequest } from '../db/page.ts';
import { empty, type Queryable, type Sql, sql } from '../db/statement.ts';
import { timestamp } from '../db/timestamp.ts';
import type { Tx } from '../db/transaction.ts';
import { Template, type TemplateType } from './entities.ts';

/** A template as the API shows it. */
export interface TemplateRow {
  id: number;
  name: string;
  type: TemplateType;
  subject: string | null;
  body_html: string;
  is_archived: boolean;
  is_shared_to_all: boolean;
  created_at: string;
  updated_at: string;
}

export interface TemplatePatch {
  name?: string | undefined;
  subject?: string | null | undefined;
  body_html?: string | undefined;
  is_shared_to_all?: boolean | undefined;
}

const columns: Sql = sql`t.id, t.name, t.type, t.subject, t.body_html, t.is_archived, t.is_shared_to_all,
  ${timestamp('t.created_at')} as created_at, ${timestamp('t.updated_at')} as updated_at`;

/** Lists a page of templates by id. Index: templates_page. */
export function listTemplates(
  db: Queryable,
  caller: Caller,
  filter: { type?: TemplateType | undefined; archived: boolean },
  page: PageRequest,
): Promise<Page<TemplateRow>> {
  const type = filter.type === undefined ? empty : sql` and t.type = ${filter.type}`;
  const from = sql`from templates t where ${visible(caller, 'templates', 't')} and t.is_archived = ${filter.archived}${type}`;
  return listPage<TemplateRow>(db, sql`select ${columns} ${from} order by t.id`, sql`select count(*)::int as total ${from}`, page);
}

/** Reads one template. Throws `not_found`. */
export async function getTemplate(db: Queryable, caller: Caller, id: number): Promise<TemplateRow> {
  const [row] = await db.query<TemplateRow>(
    sql`select ${columns} from templates t where t.id = ${id} and ${visible(caller, 'templates', 't')}`,
  );
  if (row === undefined) throw notFound('template');
  return row;
}

/** Creates a template or a signature; a signature has no subject. */
export async function createTemplate(
  app: App,
  caller: Caller,
  input: { name: string; type: TemplateType; subject: string | null; body_html: string; is_shared_to_all: boolean },
): Promise<TemplateRow> {
  const now = app.clock.now();
  const id = await app.db.tx(async (tx) => {
    const template = tx.em.create(Template, {
      workspace_id: caller.workspaceId,
      ...input,
      subject: input.type === 'signature' ? null : input.subject,
      created_by: caller.userId,
      created_at: now,
      updated_at: now,
    });
    await tx.em.flush();
    await audit(tx, caller, now, {
      action: 'template.create',
      resourceType: 'template',
      resourceId: template.id,
      changes: { name: input.name, type: input.type },
    });
    return template.id;
  });
  return getTemplate(app.db, caller, id);
}

/** Changes the given fields of a template. Throws `not_found`. */
export async function changeTemplate(app: App, caller: Caller, id: number, patch: TemplatePatch): Promise<TemplateRow> {
  await app.db.tx(async (tx) => {
    const template = await lockTemplate(tx, caller, id);
    if (patch.is_shared_to_all !== undefined && patch.is_shared_to_all !== template.is_shared_to_all)
      await requireShareManager(tx, caller, 'templates', id);
    const { subject, ...rest } = patch;
    const given = template.type === 'signature' ? rest : { ...rest, subject };
    await save(
      tx,
      app,
      caller,
      template,
      Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
      'template.update',
    );
  });
  return getTemplate(app.db, caller, id);
}

/** Archives or unarchives a template; a second time changes nothing. Throws `not_found`. */
export async function setTemplateArchived(app: App, caller: Caller, id: number, archived: boolean): Promise<TemplateRow> {
  await app.db.tx(async (tx) =>
    save(
      tx,
      app,
      caller,
      await lockTemplate(tx, caller, id),
      { is_archived: archived },
      archived ? 'template.archive' : 'template.unarchive',
    ),
  );
  return getTemplate(app.db, caller, id);
}

/** Moves a template to the trash. Throws `not_found`. */
export async function deleteTemplate(app: App, caller: Caller, id: number): Promise<void> {
  await app.db.tx(async (tx) =>
    save(tx, app, caller, await lockTemplate(tx, caller, id), { deleted_at: app.clock.now() }, 'template.delete'),
  );
}

async function save(tx: Tx, app: App, caller: Caller, template: Template, changed: Partial<Template>, action: string): Promise<void> {
  const changes = differences(template, changed);
  if (Object.keys(changes).length === 0) return;
  const now = app.clock.now();
  Object.assign(template, changed, { updated_at: now });
  await audit(tx, caller, now, { action, resourceType: 'template', resourceId: template.id, changes });
}

async function lockTemplate(tx: Tx, caller: Caller, id: number): Promise<Template> {
  const rows = await tx.query(sql`select 1 from templates t where t.id = ${id} and ${visible(caller, 'templates', 't')} for no key update`);
  const template = rows.length === 0 ? null : await tx.em.findOne(Template, { id }, { refresh: true });
  if (template === null) throw notFound('template');
  return template;
}

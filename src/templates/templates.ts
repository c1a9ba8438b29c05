import { type Caller, changeRecord, createRecord, type Patch, requireSharing, scopedRecord, visible } from '../access/index.ts';
import type { App } from '../app.ts';
import { notFound } from '../core/errors.ts';
import { listPage, type Page, type PageRequest } from '../db/page.ts';
import { type RowOf, selectColumns } from '../db/record-row.ts';
import { empty, type Queryable, sql } from '../db/statement.ts';
import { checkAuthorHtml } from '../html/author-html.ts';
import type { Template } from './entities.ts';
import type { TemplateType } from './types.ts';

const COLUMNS = ['id', 'name', 'type', 'subject', 'body_html', 'is_archived', 'is_shared_to_all', 'created_at', 'updated_at'] as const;

/** A template in the API. */
export type TemplateRow = RowOf<Template, (typeof COLUMNS)[number]>;

export type TemplatePatch = Patch<Pick<TemplateRow, 'name' | 'subject' | 'body_html' | 'is_shared_to_all'>>;

const TEMPLATE = scopedRecord<Template>('Template', 'templates');

const columns = selectColumns<Template>('t', COLUMNS);

/** Lists templates by id. Index: templates_page. */
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

/** Creates a template or a signature; a signature has no subject. Throws `invalid_request` for HTML that can't be sent. */
export async function createTemplate(
  app: App,
  caller: Caller,
  input: { name: string; type: TemplateType; subject: string | null; body_html: string; is_shared_to_all: boolean },
): Promise<TemplateRow> {
  checkAuthorHtml('body_html', input.body_html);
  const now = app.clock.now();
  const id = await app.db.tx(async (tx) => {
    const data = {
      ...input,
      subject: input.type === 'signature' ? null : input.subject,
      workspace_id: caller.workspaceId,
      created_by: caller.userId,
      created_at: now,
      updated_at: now,
    };
    const template = await createRecord(tx, app, caller, TEMPLATE, data, { audited: { name: input.name, type: input.type } });
    return template.id;
  });
  return getTemplate(app.db, caller, id);
}

/** Changes the given fields of a template. Throws `not_found`, and `invalid_request` for HTML that can't be sent. */
export async function changeTemplate(app: App, caller: Caller, id: number, patch: TemplatePatch): Promise<TemplateRow> {
  const given = (template: Template): TemplatePatch => {
    requireSharing(caller, 'templates', template, patch.is_shared_to_all);
    if (patch.body_html !== undefined) checkAuthorHtml('body_html', patch.body_html);
    return template.type === 'signature' ? { ...patch, subject: undefined } : patch;
  };
  await app.db.tx((tx) => changeRecord(tx, app, caller, TEMPLATE, id, { verb: 'update', patch: given }));
  return getTemplate(app.db, caller, id);
}

/** Archives or unarchives a template; idempotent. Throws `not_found`. */
export async function setTemplateArchived(app: App, caller: Caller, id: number, archived: boolean): Promise<TemplateRow> {
  const change = { verb: archived ? 'archive' : 'unarchive', patch: { is_archived: archived } };
  await app.db.tx((tx) => changeRecord(tx, app, caller, TEMPLATE, id, change));
  return getTemplate(app.db, caller, id);
}

/** Soft-deletes a template. Throws `not_found`. */
export async function deleteTemplate(app: App, caller: Caller, id: number): Promise<void> {
  const change = { verb: 'delete', patch: { deleted_at: app.clock.now() } };
  await app.db.tx((tx) => changeRecord(tx, app, caller, TEMPLATE, id, change));
}

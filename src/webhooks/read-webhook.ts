import { type Caller, isAdmin, type RecordKind } from '../access/index.ts';
import { notFound } from '../core/errors.ts';
import { listPage, type Page, type PageRequest } from '../db/page.ts';
import { type RowOf, selectColumns } from '../db/record-row.ts';
import { empty, type Queryable, raw, type Sql, sql } from '../db/statement.ts';
import type { Webhook } from './entities.ts';

const COLUMNS = [
  ...(['id', 'name', 'url', 'types', 'campaign_ids', 'include_body', 'format', 'labels', 'quiet_hours'] as const),
  ...(['is_enabled', 'disabled_reason'] as const),
  ...(['last_success_at', 'last_failure_at', 'consecutive_failures', 'created_at', 'updated_at'] as const),
] as const;

/** A webhook in the API. Its secret is shown once, when it is created or rotated. */
export type WebhookRow = RowOf<Webhook, (typeof COLUMNS)[number]>;

const columns = selectColumns<Webhook>('w', COLUMNS);

/**
 * Condition: the caller may see and change the webhook, as its creator or as an admin of the workspace. A webhook receives everything that
 * its creator may see, so a user who could change its URL to their own would see that, too.
 */
export function ownWebhook(caller: Caller, alias: string): Sql {
  const w = raw(alias);
  const own = isAdmin(caller) ? empty : sql` and ${w}.created_by = ${caller.userId}`;
  return sql`${w}.workspace_id = ${caller.workspaceId} and ${w}.deleted_at is null${own}`;
}

/** Audit entries omit secrets and the columns that deliveries maintain. */
export const WEBHOOK: RecordKind<Webhook> = {
  entity: 'Webhook',
  resourceType: 'webhook',
  missing: () => notFound('webhook'),
  visible: (caller) => ownWebhook(caller, 't'),
  unaudited: [
    ...(['secret', 'previous_secret', 'previous_secret_until'] as const),
    ...(['disabled_reason', 'consecutive_failures', 'failing_since', 'rests_until'] as const),
  ],
};

/** Lists the webhooks that the caller may see, by id. Index: webhooks_live. */
export function listWebhooks(db: Queryable, caller: Caller, page: PageRequest): Promise<Page<WebhookRow>> {
  const mine = ownWebhook(caller, 'w');
  return listPage<WebhookRow>(
    db,
    sql`select ${columns} from webhooks w where ${mine} order by w.id`,
    sql`select count(*)::int as total from webhooks w where ${mine}`,
    page,
  );
}

/** Reads one webhook. Throws `not_found`. */
export async function getWebhook(db: Queryable, caller: Caller, id: number): Promise<WebhookRow> {
  const [row] = await db.query<WebhookRow>(sql`select ${columns} from webhooks w where w.id = ${id} and ${ownWebhook(caller, 'w')}`);
  if (row === undefined) throw notFound('webhook');
  return row;
}

/** Throws `not_found` unless the caller may see and change the webhook. */
export async function requireWebhook(db: Queryable, caller: Caller, id: number): Promise<void> {
  const rows = await db.query(sql`select 1 from webhooks w where w.id = ${id} and ${ownWebhook(caller, 'w')}`);
  if (rows.length === 0) throw notFound('webhook');
}

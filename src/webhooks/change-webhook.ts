import { type Caller, changeRecord, createRecord, lockWorkspace, type Patch, visibleIds } from '../access/index.ts';
import type { App } from '../app.ts';
import { conflict, invalid } from '../core/errors.ts';
import { sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { receiverUrl } from './address-guard.ts';
import type { Webhook } from './entities.ts';
import { type Format, NOTICE_TYPES } from './notice.ts';
import { getWebhook, WEBHOOK, type WebhookRow } from './read-webhook.ts';
import { newSecret, OLD_SECRET_LIFETIME, openWebhookSecret, sealWebhookSecret } from './secret.ts';
import { requireTypes, SUBSCRIBED_TYPES } from './types.ts';

export interface WebhookInput {
  /** By default the host of the URL. */
  name?: string | undefined;
  url: string;
  types?: string[] | undefined;
  campaign_ids?: number[] | undefined;
  include_body?: boolean | undefined;
  format?: Format | undefined;
  /** Only replies with one of these labels; empty for all. */
  labels?: string[] | undefined;
  /** Hours in the zone of the workspace in which its messages wait, such as `22-7`; null for none. */
  quiet_hours?: string | null | undefined;
  /** If false, nothing is sent until the webhook is turned on. */
  is_enabled?: boolean | undefined;
}

export type WebhookPatch = Partial<WebhookInput>;

/** A webhook with its secret, which is shown only once. */
export type WebhookWithSecret = WebhookRow & { secret: string };

const MAX_WEBHOOKS = 50;
/** The reason for webhooks that a person turned off. */
const BY_HAND = 'disabled manually';

/**
 * Creates a webhook, to which messages are published from now on. Throws `invalid_request` for an invalid URL, type or campaign, and
 * `conflict` if the workspace already has 50 webhooks.
 */
export async function createWebhook(app: App, caller: Caller, input: WebhookInput): Promise<WebhookWithSecret> {
  const now = app.clock.now();
  const secret = newSecret();
  const id = await app.db.tx(async (tx) => {
    // Serializes concurrent requests, so that the limit is not exceeded.
    await lockWorkspace(tx, caller);
    const values = await checked(tx, app, caller, input);
    const [present] = await tx.query<{ count: number }>(sql`
      select count(*)::int as count from webhooks where workspace_id = ${caller.workspaceId} and deleted_at is null`);
    if ((present?.count ?? 0) >= MAX_WEBHOOKS) throw conflict(`a workspace has at most ${MAX_WEBHOOKS} webhooks; remove one first`);
    // The id is reserved in advance, since the secret is sealed for it.
    const [next] = await tx.query<{ id: number }>(sql`select nextval(pg_get_serial_sequence('webhooks', 'id'))::int as id`);
    if (next === undefined) throw new Error('the sequence of webhooks returned no id');
    const given = { ...values, url: values.url ?? input.url, name: input.name ?? new URL(input.url).hostname };
    const data = {
      ...given,
      types: given.types ?? (given.format === undefined || given.format === 'json' ? [] : [...NOTICE_TYPES]),
      labels: given.labels ?? [],
      quiet_hours: given.quiet_hours ?? null,
      campaign_ids: given.campaign_ids ?? [],
      disabled_reason: given.is_enabled === false ? BY_HAND : null,
      id: next.id,
      secret: sealWebhookSecret(app.sealer, next.id, secret),
      workspace_id: caller.workspaceId,
      created_by: caller.userId,
      created_at: now,
      updated_at: now,
    };
    await createRecord(tx, app, caller, WEBHOOK, data, { audited: given });
    return next.id;
  });
  return { ...(await getWebhook(app.db, caller, id)), secret };
}

/**
 * Changes a webhook; `is_enabled` turns it off and on. Turning it on resets its failures, and its pending deliveries are
 * sent. Throws `not_found` and `invalid_request`.
 */
export async function changeWebhook(app: App, caller: Caller, id: number, patch: WebhookPatch): Promise<WebhookRow> {
  await app.db.tx((tx) =>
    changeRecord(tx, app, caller, WEBHOOK, id, {
      verb: 'update',
      async patch(webhook) {
        const values = await checked(tx, app, caller, patch);
        return { ...values, ...consequences(webhook, values) };
      },
    }),
  );
  return getWebhook(app.db, caller, id);
}

/**
 * Returns the resulting changes. Turning a webhook on resets its failures, and so does a new URL: they were failures of the former
 * receiver.
 */
function consequences(webhook: Webhook, { is_enabled, url }: WebhookPatch): Patch<Webhook> {
  const fresh = { consecutive_failures: 0, failing_since: null, rests_until: null };
  const isTurned = is_enabled !== undefined && is_enabled !== webhook.is_enabled;
  if (isTurned && is_enabled) return { ...fresh, disabled_reason: null };
  return { ...(url !== undefined && url !== webhook.url ? fresh : {}), ...(isTurned ? { disabled_reason: BY_HAND } : {}) };
}

/** Deletes a webhook and its secrets. Pending deliveries are not sent. Throws `not_found`. */
export async function deleteWebhook(app: App, caller: Caller, id: number): Promise<void> {
  const patch = { deleted_at: app.clock.now(), secret: '', previous_secret: null, previous_secret_until: null };
  const audited = ({ name, url }: Webhook) => ({ name, url });
  await app.db.tx((tx) => changeRecord(tx, app, caller, WEBHOOK, id, { verb: 'delete', patch, audited }));
}

/** Gives a webhook a new secret. For 24 hours messages are signed with the old one, too. Throws `not_found`. */
export async function rotateWebhookSecret(app: App, caller: Caller, id: number): Promise<WebhookWithSecret> {
  const secret = newSecret();
  const patch = (webhook: Webhook) => ({
    secret: sealWebhookSecret(app.sealer, id, secret),
    previous_secret: isOpenable(app, id, webhook.secret) ? webhook.secret : null,
    previous_secret_until: new Date(app.clock.now().getTime() + OLD_SECRET_LIFETIME),
  });
  await app.db.tx((tx) => changeRecord(tx, app, caller, WEBHOOK, id, { verb: 'rotate_secret', patch }));
  return { ...(await getWebhook(app.db, caller, id)), secret };
}

/** False for an old secret that cannot be decrypted, so that it signs nothing during the overlap. */
function isOpenable(app: App, id: number, sealed: string): boolean {
  try {
    openWebhookSecret(app.sealer, id, sealed);
    return true;
  } catch {
    return false;
  }
}

/** Returns the fields as they are stored. Throws `invalid_request` for an invalid URL, type or campaign. */
async function checked(tx: Tx, app: App, caller: Caller, input: WebhookPatch): Promise<WebhookPatch> {
  const values = { ...input };
  if (input.url !== undefined) values.url = receiverUrl(input.url, { allowPrivate: app.config.webhooksAllowPrivate });
  if (input.types !== undefined) {
    requireTypes(input.types, SUBSCRIBED_TYPES);
    values.types = [...new Set(input.types)];
  }
  if (input.campaign_ids !== undefined) {
    values.campaign_ids = [...new Set(input.campaign_ids)];
    const seen = await visibleIds(tx, caller, 'campaigns', values.campaign_ids);
    const missing = values.campaign_ids.find((id) => !seen.has(id));
    if (missing !== undefined) throw invalid(`campaign_ids: there is no campaign ${missing}`);
  }
  return values;
}

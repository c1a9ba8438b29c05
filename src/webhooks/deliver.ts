import type { App } from '../app.ts';
import { SECOND } from '../clock.ts';
import { sql } from '../db.ts';
import { messageOf } from '../errors.ts';
import { bodyOf, type StoredMessage } from './envelope.ts';
import type { Poster, PostResult } from './post.ts';
import { openWebhookSecret, signatureHeaders } from './secret.ts';
import { settleAttempts } from './settle.ts';

/** How many messages of one webhook are under way at the same time. */
const AT_ONCE = 10;
/** Longer than an attempt can take: then what a dead process had in hand is due again. */
const LEASE = 30 * SECOND;
/** A webhook with a long queue gives its place to the others after so long. */
const TURN = 30 * SECOND;

/** A message that this process is about to deliver. */
export interface Claimed extends StoredMessage {
  id: number;
  /** This attempt included. */
  attempts: number;
}

/** A webhook as far as delivering needs it. */
export interface Target {
  id: number;
  workspace_id: number;
  url: string;
  secret: string;
  previous_secret: string | null;
}

/** Webhooks that have something to deliver and neither are off nor rest. Indexes: webhooks_pkey, webhook_deliveries_due. */
export async function dueWebhooks(app: App, limit: number): Promise<number[]> {
  const now = app.clock.now();
  const rows = await app.db.query<{ id: number }>(sql`
    select w.id from webhooks w
    where w.deleted_at is null and w.is_enabled and (w.rests_until is null or w.rests_until <= ${now})
      and exists (select from webhook_deliveries d where d.webhook_id = w.id and d.status = 'pending' and d.next_attempt_at <= ${now})
    order by w.rests_until nulls first, w.id limit ${limit}`);
  return rows.map((row) => row.id);
}

/**
 * Delivers what is due to one webhook, a few messages at a time, until nothing is, it must rest, or its turn is over.
 * Each webhook has a turn of its own, so one whose receiver is dead or slow delays nobody else. At least once: a message
 * whose outcome a crash swallowed is delivered again, under the same id. Returns how many attempts were made.
 */
export async function deliverWebhook(app: App, poster: Poster, webhookId: number, signal: AbortSignal): Promise<number> {
  const turnEnds = performance.now() + TURN;
  let attempts = 0;
  while (!signal.aborted && performance.now() < turnEnds) {
    const target = await findTarget(app, webhookId);
    const claimed = target === undefined ? [] : await claim(app, webhookId);
    if (target === undefined || claimed.length === 0) break;
    const attempted = await Promise.all(claimed.map(async (message) => ({ message, result: await attempt(app, poster, target, message) })));
    attempts += attempted.length;
    const goesOn = await settleAttempts(app, target, attempted);
    if (!goesOn) break;
  }
  return attempts;
}

/** One signed POST of a message, with what came of it. Without its secret nothing is sent: that attempt failed, too. */
export async function attempt(app: App, poster: Poster, target: Target, message: StoredMessage): Promise<PostResult> {
  const sealed = [target.secret, target.previous_secret].filter((secret) => secret !== null);
  let secrets: string[];
  try {
    secrets = sealed.map((secret) => openWebhookSecret(app.sealer, target.id, secret));
  } catch (error) {
    const problem = `its secret can't be opened (${messageOf(error)}); give it another: outreach webhook rotate-secret ${target.id}`;
    return { status: null, response: null, retryAfter: undefined, error: problem, milliseconds: 0 };
  }
  const body = bodyOf(message);
  return poster.post(
    target.url,
    {
      'content-type': 'application/json',
      'user-agent': 'outreach-webhooks/1',
      ...signatureHeaders(message.message_id, app.clock.now(), body, secrets),
    },
    body,
  );
}

/** The webhook while it is on and need not rest. */
export async function findTarget(app: App, id: number, { evenIfOff = false } = {}): Promise<Target | undefined> {
  const now = app.clock.now();
  const [target] = await app.db.query<Target>(sql`
    select id, workspace_id, url, secret, case when previous_secret_until > ${now} then previous_secret end as previous_secret
    from webhooks where id = ${id} and deleted_at is null
      and (${evenIfOff} or is_enabled and (rests_until is null or rests_until <= ${now}))`);
  return target;
}

/** Takes messages that are due and moves them on by the lease, so that no other daemon takes them. Index: webhook_deliveries_due. */
async function claim(app: App, webhookId: number): Promise<Claimed[]> {
  const now = app.clock.now();
  return app.db.query<Claimed>(sql`
    with due as (
      select id from webhook_deliveries where webhook_id = ${webhookId} and status = 'pending' and next_attempt_at <= ${now}
      order by next_attempt_at, id limit ${AT_ONCE} for update skip locked
    )
    update webhook_deliveries d
    set attempts = d.attempts + 1, last_attempt_at = ${now}, next_attempt_at = ${new Date(now.getTime() + LEASE)}
    from due, webhooks w where d.id = due.id and w.id = d.webhook_id
    returning d.id, d.message_id, d.type, w.workspace_id, d.data, d.reply_body, d.attempts,
      to_char(d.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as timestamp`);
}

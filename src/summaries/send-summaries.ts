import { actingFor, type Caller, findRecipient, type Recipient, sendSystemEmail } from '../access/index.ts';
import type { App } from '../app.ts';
import { MINUTE } from '../core/clock.ts';
import { messageOf } from '../core/errors.ts';
import { lastStableId } from '../db/stable-id.ts';
import { type Queryable, sql } from '../db/statement.ts';
import { nextTime } from './next-time.ts';
import { isWorthSending, readSummary } from './read-summary.ts';
import { summaryEmail } from './summary-email.ts';

/** Summaries that one run sends; the next run sends the rest. */
const MAX_PER_RUN = 100;
/** One that certainly failed is tried again, so often and so much later. */
const MAX_TRIES = 12;
const RETRY_DELAY = 10 * MINUTE;

interface DueSummary {
  workspace_id: number;
  user_id: number;
  at_minute: number;
  timezone: string;
  next_at: Date;
  after_reply_id: number;
  tries: number;
}

/**
 * Sends the summaries that are due, each to its user, of what that user may see. A day's is claimed in the database before it is sent,
 * so that one daemon sends it, once: when that daemon dies, or the server cuts the connection after it was given the email, it is not
 * sent again, and the next summary has what was new in it. One that the server certainly does not have is tried again. Returns how many
 * were sent.
 */
export async function sendDailySummaries(app: App, signal?: AbortSignal): Promise<number> {
  let sent = 0;
  for (const due of await dueSummaries(app.db, app.clock.now())) {
    if (signal?.aborted) break;
    if ((await claim(app, due)) && (await send(app, due))) sent++;
  }
  return sent;
}

/** Index: daily_summaries_next. */
function dueSummaries(db: Queryable, now: Date): Promise<DueSummary[]> {
  return db.query<DueSummary>(sql`
    select workspace_id, user_id, at_minute, timezone, next_at, after_reply_id::int as after_reply_id, tries from daily_summaries
    where next_at <= ${now} order by next_at limit ${MAX_PER_RUN}`);
}

/** Claims a summary by setting when the next is due. Returns false if another daemon has. Index: daily_summaries_pkey. */
async function claim({ db, clock }: App, due: DueSummary): Promise<boolean> {
  const now = clock.now();
  const next = nextTime(now, due.at_minute, due.timezone, now);
  const claimed = await db.query(sql`
    update daily_summaries set next_at = ${next}, claimed_at = ${now}
    where workspace_id = ${due.workspace_id} and user_id = ${due.user_id} and next_at = ${due.next_at} returning 1`);
  return claimed.length > 0;
}

/** Returns true if the server accepted the email. */
async function send(app: App, due: DueSummary): Promise<boolean> {
  const asker = { workspaceId: due.workspace_id, userId: due.user_id, apiKeyId: null, ip: null };
  const [caller, recipient] = [await actingFor(app.db, asker), await findRecipient(app.db, asker.workspaceId, asker.userId)];
  if (caller === undefined || recipient === undefined) return false;
  try {
    return await compose(app, due, caller, recipient);
  } catch (error) {
    const isCertain = wasNotTaken(error) && due.tries < MAX_TRIES;
    if (isCertain) await postpone(app, due);
    const reason = messageOf(error).replaceAll(recipient.email, '…');
    app.log.warn({ user_id: due.user_id, reason, is_tried_again: isCertain }, 'a daily summary was not sent');
    return false;
  }
}

async function compose(app: App, due: DueSummary, caller: Caller, recipient: Recipient): Promise<boolean> {
  // Before the replies are read, so that one that comes in meanwhile is in the next summary.
  const newest = await lastStableId(app.db, 'replies');
  const summary = await readSummary(app, caller, due.after_reply_id);
  const isSent = isWorthSending(summary) && (await sendSystemEmail(app.config, summaryEmail(recipient, summary)));
  await app.db.query(sql`
    update daily_summaries set after_reply_id = greatest(after_reply_id, ${newest ?? due.after_reply_id}), tries = 0
    where workspace_id = ${due.workspace_id} and user_id = ${due.user_id}`);
  return isSent;
}

/** Makes a summary of today due again. */
async function postpone({ db, clock }: App, due: DueSummary): Promise<void> {
  await db.query(sql`
    update daily_summaries set next_at = ${new Date(clock.now().getTime() + RETRY_DELAY)}, tries = tries + 1
    where workspace_id = ${due.workspace_id} and user_id = ${due.user_id}`);
}

/** True if the server certainly does not have the email: it said so, or the session failed before it could be given one. */
function wasNotTaken(error: unknown): boolean {
  const { responseCode, code } = error as { responseCode?: number; code?: string };
  return responseCode !== undefined || ['EDNS', 'EAUTH', 'ETLS', 'ECONNREFUSED'].includes(code ?? '');
}

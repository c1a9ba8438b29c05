import { actingFor, type Caller, findRecipient, type Recipient, sendSystemEmail } from '../access/index.ts';
import type { App } from '../app.ts';
import { MINUTE } from '../core/clock.ts';
import { messageOf } from '../core/errors.ts';
import { lastStableId } from '../db/stable-id.ts';
import { type Queryable, sql } from '../db/statement.ts';
import { nextMonday, nextTime, timeOfDayBefore } from './next-time.ts';
import { isWorthSending, readSummary } from './read-summary.ts';
import { summaryEmail } from './summary-email.ts';
import { weeklyReportEmail } from './weekly-report-email.ts';

/** Maximum number of emails that one run sends; the next run sends the rest. */
const MAX_PER_RUN = 100;
/** Maximum number of retries of an email that certainly was not sent. */
const MAX_TRIES = 12;
const RETRY_DELAY = 10 * MINUTE;

interface DueEmail {
  id: number;
  kind: 'daily_summary' | 'weekly_report';
  campaign_id: number | null;
  workspace_id: number;
  user_id: number;
  at_minute: number;
  timezone: string;
  next_at: Date;
  after_reply_id: number;
  tries: number;
}

/**
 * Sends the due summaries and reports, each to its user, with what that user may see. Each is claimed in the database before it is sent, so
 * that only one daemon sends it, once. If that daemon dies, or the server closes the connection after it got the email, it is not sent
 * again, and its news are in the next summary. An email that the server certainly does not have is retried. Returns the number of emails
 * sent.
 */
export async function sendScheduledEmails(app: App, signal?: AbortSignal): Promise<number> {
  let sent = 0;
  for (const due of await dueEmails(app.db, app.clock.now())) {
    if (signal?.aborted) break;
    if ((await claim(app, due)) && (await send(app, due))) sent++;
  }
  return sent;
}

/** Index: scheduled_emails_next. */
function dueEmails(db: Queryable, now: Date): Promise<DueEmail[]> {
  return db.query<DueEmail>(sql`
    select id, kind, campaign_id, workspace_id, user_id, at_minute, timezone, next_at, after_reply_id::int as after_reply_id, tries from scheduled_emails
    where next_at <= ${now} order by next_at limit ${MAX_PER_RUN}`);
}

/**
 * Claims an email by setting the due time of the next one. Returns false if another daemon has claimed it. Index: scheduled_emails_pkey.
 */
async function claim({ db, clock }: App, due: DueEmail): Promise<boolean> {
  const now = clock.now();
  const next = due.kind === 'weekly_report' ? nextMonday(now, due.timezone) : nextTime(now, due.at_minute, due.timezone, now);
  const claimed = await db.query(sql`
    update scheduled_emails set next_at = ${next}, claimed_at = ${now}
    where id = ${due.id} and next_at = ${due.next_at} returning 1`);
  return claimed.length > 0;
}

/** Sends an email. Returns true if the server accepted it. */
async function send(app: App, due: DueEmail): Promise<boolean> {
  const user = { workspaceId: due.workspace_id, userId: due.user_id, apiKeyId: null, ip: null };
  const [caller, recipient] = [await actingFor(app.db, user), await findRecipient(app.db, user.workspaceId, user.userId)];
  if (caller === undefined || recipient === undefined) return false;
  try {
    return await (due.kind === 'weekly_report' ? sendReport : sendSummary)(app, due, caller, recipient);
  } catch (error) {
    const willRetry = isCertainlyUnsent(error) && due.tries < MAX_TRIES;
    if (willRetry) await postpone(app, due);
    const reason = messageOf(error).replaceAll(recipient.email, '…');
    app.log.warn({ user_id: due.user_id, reason, will_retry: willRetry }, `a ${due.kind.replace('_', ' ')} was not sent`);
    return false;
  }
}

/** Sends a report. Throws if the campaign is deleted or the user may no longer see it; reports continue once that changes. */
async function sendReport(app: App, due: DueEmail, caller: Caller, recipient: Recipient): Promise<boolean> {
  const email = await weeklyReportEmail(app, caller, recipient, due.campaign_id);
  const isSent = await sendSystemEmail(app.config, email);
  await app.db.query(sql`update scheduled_emails set tries = 0 where id = ${due.id}`);
  return isSent;
}

async function sendSummary(app: App, due: DueEmail, caller: Caller, recipient: Recipient): Promise<boolean> {
  // Must precede reading the replies, so that a reply that arrives meanwhile is in the next summary.
  const newest = await lastStableId(app.db, 'replies');
  const since = timeOfDayBefore(app.clock.now(), due.at_minute, due.timezone);
  const summary = await readSummary(app, caller, { afterReplyId: due.after_reply_id, since });
  const isSent = isWorthSending(summary) && (await sendSystemEmail(app.config, summaryEmail(recipient, summary)));
  await app.db.query(sql`
    update scheduled_emails set after_reply_id = greatest(after_reply_id, ${newest ?? due.after_reply_id}), tries = 0
    where id = ${due.id}`);
  return isSent;
}

/** Makes an email due again. */
async function postpone({ db, clock }: App, due: DueEmail): Promise<void> {
  await db.query(sql`
    update scheduled_emails set next_at = ${new Date(clock.now().getTime() + RETRY_DELAY)}, tries = tries + 1
    where id = ${due.id}`);
}

/** Returns true if the server certainly does not have the email: it refused it, or the session failed before the transmission. */
function isCertainlyUnsent(error: unknown): boolean {
  const { responseCode, code } = error as { responseCode?: number; code?: string };
  return responseCode !== undefined || ['EDNS', 'EAUTH', 'ETLS', 'ECONNREFUSED'].includes(code ?? '');
}

import { setTimeout as pause } from 'node:timers/promises';
import type { App } from '../app.ts';
import { SECOND } from '../core/clock.ts';
import { domainOf } from '../core/email-address.ts';
import { notFound } from '../core/errors.ts';
import { empty, type Queryable, sql } from '../db/statement.ts';
import { formatTimestamp } from '../db/timestamp.ts';
import type { EventType } from '../events/index.ts';
import { replyCode } from '../mail/replies/reply-code.ts';

/** A line of `outreach logs`. It names no recipient: a log is read, kept and passed on by people who need not know whom we email. */
export interface Activity {
  /** UTC, `YYYY-MM-DD HH:MM:SS`. */
  at: string;
  what: 'sent' | 'bounced' | 'answered' | 'paused' | 'disconnected';
  /** Id of the email in the outbox; null for a change of an account. */
  email_id: number | null;
  account_id: number | null;
  account: string | null;
  /** Domain of the recipient. */
  domain: string | null;
  /** The server's reply code, such as `250` or `550 5.1.1`. */
  code: string | null;
  /** Why an account was paused, such as `provider_limit`. */
  reason: string | null;
}

export interface ActivityFilter {
  /** Only at or after this instant. */
  since: Date;
  /** Only of these accounts. */
  accountIds?: readonly number[] | undefined;
  /** The newest so many. */
  limit: number;
}

/** A line with what tells it from others. */
type Keyed = Activity & { key: string; time: Date };

const EVENTS = { sent: 'sent', bounced: 'bounced', replied: 'answered' } as const satisfies Partial<Record<EventType, Activity['what']>>;
const PAUSES = { 'account.pause': 'paused', 'account.disconnect': 'disconnected' } as const;

/** Reads what happened to emails and accounts in all workspaces, oldest first. */
export async function readActivity(db: Queryable, filter: ActivityFilter): Promise<Activity[]> {
  return (await readKeyed(db, filter)).map(withoutKey);
}

/** A row is followed even if it is committed as long after its time. */
const LATE = 30 * SECOND;
const MOST_AT_ONCE = 10_000;

/** Reads it, then what is added every second, and yields each line once until the signal is aborted. */
export async function* followActivity(app: App, filter: ActivityFilter, signal: AbortSignal): AsyncGenerator<Activity> {
  const seen = new Map<string, Date>();
  let rows = await readKeyed(app.db, filter);
  const start = rows[0]?.time ?? filter.since;
  while (!signal.aborted) {
    for (const row of rows.filter(({ key }) => !seen.has(key))) {
      seen.set(row.key, row.time);
      yield withoutKey(row);
    }
    await pause(SECOND, undefined, { signal }).catch(() => undefined);
    const since = new Date(Math.max(start.getTime(), app.clock.now().getTime() - LATE));
    for (const [key, time] of seen) if (time < since) seen.delete(key);
    rows = await readKeyed(app.db, { ...filter, since, limit: MOST_AT_ONCE });
  }
}

/** Finds accounts by id or address, deleted ones too. Throws `not_found`. */
export async function accountIdsOf(db: Queryable, text: string): Promise<number[]> {
  const isNamed = /^\d{1,9}$/.test(text) ? sql`id = ${Number(text)}` : sql`lower(email) = lower(${text})`;
  const rows = await db.query<{ id: number }>(sql`select id from accounts where ${isNamed} order by id`);
  if (rows.length === 0) throw notFound(`account "${text}"`);
  return rows.map(({ id }) => id);
}

async function readKeyed(db: Queryable, filter: ActivityFilter): Promise<Keyed[]> {
  const rows = [...(await readEmails(db, filter)), ...(await readPauses(db, filter))];
  return rows.sort((a, b) => a.time.getTime() - b.time.getTime()).slice(-filter.limit);
}

const withoutKey = ({ key: _, time: __, ...line }: Keyed): Activity => line;

interface EmailRow {
  id: number;
  type: keyof typeof EVENTS;
  at: Date;
  details: { reason?: string; reasons?: string[] } | null;
  email_id: number | null;
  account_id: number | null;
  account: string | null;
  recipient: string | null;
  response: string | null;
}

/** Indexes: events_feed_type, for each workspace and type; outbox_enrolment_id_step_id_key. */
async function readEmails(db: Queryable, { since, accountIds, limit }: ActivityFilter): Promise<Keyed[]> {
  const ofAccounts = accountIds === undefined ? empty : sql` and o.account_id = any(${accountIds}::int[])`;
  const rows = await db.query<EmailRow>(sql`
    select v.*, a.email as account from workspaces w
    cross join unnest(${Object.keys(EVENTS)}::text[]) as wanted (type)
    cross join lateral (
      select e.id, e.type, e.at, e.details, o.id as email_id, o.account_id, o.recipient, o.response
      from events e left join lateral (
        select * from outbox where enrolment_id = e.enrolment_id and step_order = e.step_order order by id desc limit 1) o on true
      where e.workspace_id = w.id and e.type = wanted.type and e.at >= ${since}${ofAccounts}
      order by e.at desc, e.id desc limit ${limit}
    ) v left join accounts a on a.id = v.account_id
    order by v.at desc, v.id desc limit ${limit}`);
  return rows.map(({ id, type, at, details, recipient, response, ...row }) => ({
    ...{ key: `event ${id}`, time: at, at: formatTimestamp(at), what: EVENTS[type], ...row },
    domain: recipient === null ? null : domainOf(recipient),
    code: replyCode(type === 'sent' ? (response ?? '') : (details?.reason ?? (details?.reasons ?? []).join(' '))),
    reason: null,
  }));
}

interface PauseRow {
  id: number;
  action: keyof typeof PAUSES;
  at: Date;
  changes: Record<string, [unknown, unknown] | undefined>;
  account_id: number;
  account: string;
}

/** Index: audit_log_resource, for each account. */
async function readPauses(db: Queryable, { since, accountIds, limit }: ActivityFilter): Promise<Keyed[]> {
  const ofAccounts = accountIds === undefined ? sql`true` : sql`a.id = any(${accountIds}::int[])`;
  const rows = await db.query<PauseRow>(sql`
    select v.id, v.action, v.at, v.changes, a.id as account_id, a.email as account from accounts a
    cross join lateral (
      select * from audit_log l where l.resource_type = 'account' and l.resource_id = a.id and l.action = any(${Object.keys(PAUSES)}::text[])
        and l.at >= ${since} order by l.id desc limit ${limit}
    ) v where ${ofAccounts} order by v.id desc limit ${limit}`);
  return rows.map(({ id, action, at, changes, ...account }) => ({
    ...{ key: `audit ${id}`, time: at, at: formatTimestamp(at), what: PAUSES[action], email_id: null, ...account, domain: null },
    code: replyCode(String(changes.pause_message?.[1] ?? '')),
    reason: (changes.pause_reason?.[1] as string | null | undefined) ?? null,
  }));
}

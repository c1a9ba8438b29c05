import { type Caller, isAdmin, notHidden, visible } from '../access/index.ts';
import { cleanAddress, domainOf } from '../core/email-address.ts';
import { notFound } from '../core/errors.ts';
import type { EventType } from '../core/event-types.ts';
import { formatTimestamp } from '../core/timestamp-text.ts';
import { empty, type Queryable, type Sql, sql } from '../db/statement.ts';
import { isSameEmail } from '../events/index.ts';
import { replyCode } from '../mail/replies/reply-code.ts';

/** The types of lines. */
export const ACTIVITIES = ['sent', 'bounced', 'answered', 'paused', 'disconnected', 'limited', 'health', 'completed'] as const;

/** A line of `outreach logs`. It names no recipient, because logs are read, stored and passed on by people who need not know them. */
export interface Activity {
  /** Identifies the line. */
  id: string;
  /** UTC, `YYYY-MM-DD HH:MM:SS`. */
  at: string;
  what: (typeof ACTIVITIES)[number];
  /** Id of the email in the outbox; null for a change of an account or a campaign. */
  email_id: number | null;
  account_id: number | null;
  account: string | null;
  /** Domain of the recipient. */
  domain: string | null;
  /** The server's reply code, such as `250` or `550 5.1.1`. */
  code: string | null;
  /** The reason why an account was paused, such as `provider_limit`; its daily limit; or its health with the checks that are not good. */
  reason: string | null;
  /** The campaign that was completed; null on other lines. */
  campaign_id: number | null;
  campaign: string | null;
}

export interface ActivityFilter {
  /** Only at or after this instant. */
  since: Date;
  /** Only of this account, by id or address. */
  account?: string | undefined;
  /** Maximum number of lines, the newest. */
  limit: number;
}

/** A line with its exact time. */
type Timed = Activity & { time: Date };

const EVENTS = { sent: 'sent', bounced: 'bounced', replied: 'answered' } as const satisfies Partial<Record<EventType, Activity['what']>>;
const ACCOUNT_ACTIONS = {
  'account.pause': 'paused',
  'account.disconnect': 'disconnected',
  'account.reach_limit': 'limited',
  'account.change_health': 'health',
} as const;

/** Reads what happened to the emails and accounts that the caller may see, oldest first. Throws `not_found` for an unknown account. */
export async function readActivity(db: Queryable, caller: Caller, { account, ...filter }: ActivityFilter): Promise<Activity[]> {
  const accountIds = account === undefined ? undefined : await accountIdsOf(db, caller, account);
  const wanted = { ...filter, accountIds };
  return latest([...(await readEmails(db, caller, wanted)), ...(await readChanges(db, caller, wanted))], filter.limit);
}

/** Reads only what happened to accounts and campaigns, oldest first. */
export const readChangeActivity = async (db: Queryable, caller: Caller, filter: Omit<ActivityFilter, 'account'>): Promise<Activity[]> =>
  latest(await readChanges(db, caller, { ...filter, accountIds: undefined }), filter.limit);

const latest = (rows: readonly Timed[], limit: number): Activity[] =>
  rows
    .toSorted((a, b) => a.time.getTime() - b.time.getTime())
    .slice(-limit)
    .map(({ time: _, ...line }) => line);

interface ReadFilter extends Pick<ActivityFilter, 'since' | 'limit'> {
  accountIds: readonly number[] | undefined;
}

/** Finds the accounts that have or had this id or address. */
async function accountIdsOf(db: Queryable, caller: Caller, text: string): Promise<number[]> {
  const isNamed = /^\d{1,9}$/.test(text) ? sql`a.id = ${Number(text)}` : sql`address_key(a.email) = address_key(${cleanAddress(text)})`;
  const rows = await db.query<{ id: number }>(sql`select a.id from accounts a where ${isNamed} and ${isSeen(caller)} order by a.id`);
  if (rows.length === 0) throw notFound(`account "${text}"`);
  return rows.map(({ id }) => id);
}

/** SQL condition on the account `a`. Callers who see the whole workspace also see deleted accounts. */
const isSeen = (caller: Caller): Sql => (isAdmin(caller) ? sql`a.workspace_id = ${caller.workspaceId}` : visible(caller, 'accounts', 'a'));

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

/** Indexes: events_feed_type, for each type; outbox_enrolment_id_step_id_key. */
async function readEmails(db: Queryable, caller: Caller, { since, accountIds, limit }: ReadFilter): Promise<Timed[]> {
  const ofAccounts = accountIds === undefined ? empty : sql` and o.account_id = any(${accountIds}::int[])`;
  const rows = await db.query<EmailRow>(sql`
    select v.*, a.email as account from unnest(${Object.keys(EVENTS)}::text[]) as wanted (type)
    cross join lateral (
      select e.id, e.type, e.at, e.details, o.id as email_id, o.account_id, o.recipient, o.response
      from events e left join lateral (
        select * from outbox x where x.enrolment_id = e.enrolment_id and ${isSameEmail('x', 'e')} order by x.id desc limit 1) o on true
      where e.workspace_id = ${caller.workspaceId} and e.type = wanted.type and e.at >= ${since}${ofAccounts}
        and ${notHidden(caller, 'campaigns', sql`e.campaign_id`, limit)} and ${notHidden(caller, 'contacts', sql`e.contact_id`, limit)}
      order by e.at desc, e.id desc limit ${limit}
    ) v left join accounts a on a.id = v.account_id
    order by v.at desc, v.id desc limit ${limit}`);
  return rows.map(({ id, type, at, details, recipient, response, ...row }) => ({
    id: `event-${id}`,
    time: at,
    at: formatTimestamp(at),
    what: EVENTS[type],
    ...row,
    domain: recipient === null ? null : domainOf(recipient),
    code: replyCode(type === 'sent' ? (response ?? '') : (details?.reason ?? (details?.reasons ?? []).join(' '))),
    reason: null,
    ...NO_CAMPAIGN,
  }));
}

const NO_CAMPAIGN = { campaign_id: null, campaign: null };

const readChanges = async (db: Queryable, caller: Caller, filter: ReadFilter): Promise<Timed[]> => [
  ...(await readAccountChanges(db, caller, filter)),
  ...(await readCompletions(db, caller, filter)),
];

interface AccountChange {
  id: number;
  action: keyof typeof ACCOUNT_ACTIONS;
  at: Date;
  changes: {
    pause_reason?: [unknown, string | null];
    pause_message?: [unknown, string | null];
    daily_limit?: number;
    health?: [string | null, string];
    problems?: string[];
  };
  account_id: number;
  account: string;
}

/** Index: audit_log_resource, for each account. */
async function readAccountChanges(db: Queryable, caller: Caller, { since, accountIds, limit }: ReadFilter): Promise<Timed[]> {
  const ofAccounts = accountIds === undefined ? empty : sql` and a.id = any(${accountIds}::int[])`;
  const rows = await db.query<AccountChange>(sql`
    select v.id, v.action, v.at, v.changes, a.id as account_id, a.email as account from accounts a
    cross join lateral (
      select * from audit_log l where l.resource_type = 'account' and l.resource_id = a.id and l.action = any(${Object.keys(ACCOUNT_ACTIONS)}::text[])
        and l.at >= ${since} order by l.id desc limit ${limit}
    ) v where ${isSeen(caller)}${ofAccounts} order by v.id desc limit ${limit}`);
  return rows.map(({ id, action, at, changes, ...account }) => ({
    id: `audit-${id}`,
    time: at,
    at: formatTimestamp(at),
    what: ACCOUNT_ACTIONS[action],
    email_id: null,
    ...account,
    domain: null,
    code: replyCode(changes.pause_message?.[1] ?? ''),
    reason: reasonOf(changes),
    ...NO_CAMPAIGN,
  }));
}

function reasonOf({ pause_reason, daily_limit, health, problems = [] }: AccountChange['changes']): string | null {
  if (daily_limit !== undefined) return `daily limit of ${daily_limit}`;
  if (health !== undefined) return [health[1], problems.join(', ')].filter(Boolean).join(': ');
  return pause_reason?.[1] ?? null;
}

/**
 * Reads the completions of campaigns; a campaign that is active again keeps its line. Completing a campaign sets its `updated_at`, so campaigns
 * with an older one are skipped. Indexes: campaigns_page, audit_log_resource for each campaign.
 */
async function readCompletions(db: Queryable, caller: Caller, { since, accountIds, limit }: ReadFilter): Promise<Timed[]> {
  const ofAccounts = accountIds === undefined ? empty : sql` and c.account_id = any(${accountIds}::int[])`;
  const rows = await db.query<{ id: number; at: Date; campaign_id: number; campaign: string }>(sql`
    select v.id, v.at, c.id as campaign_id, c.name as campaign from campaigns c
    cross join lateral (
      select l.id, l.at from audit_log l where l.resource_type = 'campaign' and l.resource_id = c.id and l.action = 'campaign.complete'
        and l.at >= ${since} order by l.id desc limit ${limit}
    ) v where ${visible(caller, 'campaigns', 'c')} and c.updated_at >= ${since}${ofAccounts} order by v.id desc limit ${limit}`);
  return rows.map(({ id, at, ...campaign }) => ({
    id: `audit-${id}`,
    time: at,
    at: formatTimestamp(at),
    what: 'completed',
    ...{ email_id: null, account_id: null, account: null, domain: null, code: null, reason: null },
    ...campaign,
  }));
}

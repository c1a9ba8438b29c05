import { type Caller, visible } from '../access/index.ts';
import type { AccountStatus } from '../accounts/index.ts';
import type { App } from '../app.ts';
import {
  type CampaignStats,
  type CampaignStatus,
  campaignIs,
  isWaiting,
  type NextSendInput,
  nextSendAt,
  tracks,
  windowColumns,
} from '../campaigns/index.ts';
import { formatTimestamp } from '../core/timestamp-text.ts';
import { sql } from '../db/statement.ts';
import { campaignCounts, statsColumns } from '../events/index.ts';

/** A campaign as the dashboard shows it. Times are UTC, `YYYY-MM-DD HH:MM:SS`. */
export interface CampaignLine extends Omit<CampaignStats, 'steps'> {
  id: number;
  /** Null for a campaign that is in no rotation group. */
  rotation_id: number | null;
  name: string;
  status: CampaignStatus;
  account_email: string;
  /** True if its emails have the tracking image, or tracked links. */
  tracks_opens: boolean;
  tracks_clicks: boolean;
  /** Contacts whose sequence has ended, for any reason. */
  finished: number;
  /** Earliest time of its next email; batches and limits may make it later. Null while nothing can be sent. */
  next_send_at: string | null;
}

type CampaignFacts = Omit<CampaignLine, 'next_send_at' | 'finished'> &
  Omit<NextSendInput, 'status' | 'campaign_status'> & { account_status: AccountStatus; next_batch_at: Date | null };

/**
 * Reads the campaigns that the caller may see, without archived ones, active ones first.
 * `finished` is 0: `FinishedCounts` fills it in. Indexes: campaigns_page, enrolments_active.
 * @param limit number of campaigns; a rotation group is read whole and counts as one
 */
export async function readCampaignLines({ db, config }: App, caller: Caller, now: Date, limit: number): Promise<CampaignLine[]> {
  const rows = await db.query<CampaignFacts>(sql`
    select c.id, c.rotation_group_id as rotation_id, c.name, c.status, a.email as account_email, ${statsColumns},
      ${tracks('opens', config.publicUrl)} as tracks_opens, ${tracks('clicks', config.publicUrl)} as tracks_clicks,
      a.status as account_status, a.next_batch_at, c.starts_at, ${windowColumns('c')}, a.timezone as account_timezone,
      a.send_window_start_hour, a.send_window_end_hour, w.due_at, w.held_until, w.variant, w.step_kind
    from campaigns c join accounts a on a.id = c.account_id
    left join (${campaignCounts(sql`select o.id from campaigns o where o.workspace_id = ${caller.workspaceId}`)}) n on n.campaign_id = c.id
    left join lateral (${firstWaiting}) w on ${campaignIs('c', 'active')}
    where ${visible(caller, 'campaigns', 'c')} and not c.is_archived and coalesce(c.rotation_group_id, c.id) in (${firstGroups(caller, limit)})
    order by ${campaignIs('c', 'active')} desc, c.id desc`);
  return rows.map((row) => toCampaignLine(row, now));
}

/** Selects the rotation groups, and the campaigns without a group, that are shown. */
const firstGroups = (caller: Caller, limit: number) => sql`
  select coalesce(f.rotation_group_id, f.id) from campaigns f where ${visible(caller, 'campaigns', 'f')} and not f.is_archived
  group by 1 order by bool_or(${campaignIs('f', 'active')}) desc, max(f.id) desc limit ${limit}`;

/** Joins first emails and follow-ups as rows: a constant would be folded into a condition that no index matches. */
const firstWaiting = sql`
  select n.* from (values (true), (false)) f (is_follow_up)
  cross join lateral (
    select e.due_at, e.held_until, e.variant,
      (select t.kind from steps t where t.campaign_id = e.campaign_id and t.step_order = e.current_step and t.deleted_at is null) as step_kind
    from enrolments e where e.campaign_id = c.id and ${isWaiting('e')} and (e.last_sent_step > 0) = f.is_follow_up
    order by e.due_at limit 1) n
  order by n.due_at limit 1`;

function toCampaignLine(row: CampaignFacts, now: Date): CampaignLine {
  const { id, rotation_id, name, status, account_email, tracks_opens, tracks_clicks } = row;
  const { contacts, sent, opened, clicked, replied, bounced, failed } = row;
  const facts = { id, rotation_id, name, status, account_email, tracks_opens, tracks_clicks };
  const counts = { contacts, sent, opened, clicked, replied, bounced, failed };
  return { ...facts, ...counts, finished: 0, next_send_at: nextSendOf(row, now) };
}

function nextSendOf(row: CampaignFacts, now: Date): string | null {
  if (row.account_status !== 'active' || row.due_at === null) return null;
  const next = nextSendAt({ ...row, status: 'active', campaign_status: row.status }, now);
  if (next === null) return null;
  const batch = row.next_batch_at ?? next;
  return formatTimestamp(batch > next ? batch : next);
}

import {
  type CampaignSchedule,
  campaignWindow,
  hasEmailStep,
  isRunning,
  type SendingWindow,
  usesContactZones,
  windowColumns,
  zoneOfContact,
} from '../../campaigns/index.ts';
import { isKnownZone, localDay, zoneOrUtc } from '../../core/zone.ts';
import { prepared, type Queryable, sql } from '../../db/statement.ts';
import { usedOn } from '../email/claim-limits.ts';
import type { CampaignState, Group } from '../plan/campaign-state.ts';
import { DayLeft, type DayLimits } from '../plan/day-left.ts';
import { type WaitingRow, waitingInKinds, waitingInZones } from './waiting.ts';

interface CampaignRow extends Omit<CampaignSchedule, 'contact_timezone' | 'variant'>, DayLimits {
  id: number;
  starts_at: Date | null;
  uses_contact_zones: boolean;
  sequence: number;
}

/**
 * Reads the active campaigns that send from this account, with their due emails. Counts at most `atMost` due emails a group, the
 * most that one batch can contain. Leaves out campaigns without an email step, and groups whose time zone is unknown to this
 * machine; `explain` reports both.
 * @param also campaigns to treat as active
 */
export async function loadCampaignStates(
  db: Queryable,
  accountId: number,
  now: Date,
  atMost: number,
  also: readonly number[] = [],
): Promise<CampaignState[]> {
  const rows = await loadCampaigns(db, accountId, also);
  const [inZones, inKinds] = [true, false].map((are) => rows.filter((row) => isInZones(row) === are).map(({ id }) => id));
  const waiting = [
    ...(await waitingInZones(db, accountId, inZones ?? [], now, atMost)),
    ...(await waitingInKinds(db, accountId, inKinds ?? [], now, atMost)),
  ];
  const left = await dayLeftOf(db, rows, now);
  return rows.map((row) => {
    const groups = groupsOf(
      row,
      waiting.filter(({ campaign_id }) => campaign_id === row.id),
    );
    return {
      id: row.id,
      timezone: row.timezone,
      holidays: row.holidays,
      startsAt: row.starts_at,
      groups: groups.filter(({ window }) => isKnownZone(window.timezone)),
      ...limitsOf(row, left.get(row.id)),
    };
  });
}

/**
 * Reads the account's campaigns and those with enrolments that it sends. Indexes: campaigns_account, enrolments_account, steps_live_order.
 */
function loadCampaigns(db: Queryable, accountId: number, also: readonly number[]): Promise<CampaignRow[]> {
  // A loose index scan: each campaign of the account's enrolments is looked up from the one before it. Only active enrolments have a due
  // time;
  // with a condition on the status, PostgreSQL could choose other indexes, which contain many other rows.
  const ofAccount = sql`from enrolments e where e.account_id = ${accountId} and e.due_at is not null`;
  return db.query<CampaignRow>(
    prepared(
      'campaigns-of-account',
      sql`
    with recursive joined (id) as (
      (select e.campaign_id ${ofAccount} order by e.campaign_id limit 1)
      union all
      select (select e.campaign_id ${ofAccount} and e.campaign_id > joined.id order by e.campaign_id limit 1) from joined where joined.id is not null)
    select c.id, ${windowColumns('c')}, c.starts_at, c.new_contacts_per_day, c.max_per_company_per_day,
      coalesce(c.rotation_group_id, c.id) as sequence, ${usesContactZones('c')} as uses_contact_zones
    from (select id from campaigns where account_id = ${accountId} and deleted_at is null union select id from joined) own
    cross join lateral (
      select * from campaigns k where k.id = own.id and (${isRunning('k')} or k.id = any(${also}::int[])) offset 0) c
    where ${hasEmailStep('c')}
    order by c.id`,
    ),
  );
}

const hasHoursOfB = (row: CampaignRow): boolean =>
  row.ab_test_enabled && row.sending_hour_start_b !== null && row.sending_hour_end_b !== null;

/** Returns true if windows depend on the contact's time zone or variant, so that emails must be counted by these. */
const isInZones = (row: CampaignRow): boolean => row.uses_contact_zones || hasHoursOfB(row);

/**
 * Creates one group for each window and, if first emails are limited, for each kind of email. There is a window for each time zone if the
 * campaign uses those of its contacts (contacts without a known zone are in the campaign's), and for each variant if variants have their
 * own hours.
 */
function groupsOf(row: CampaignRow, waiting: readonly WaitingRow[]): Group[] {
  const groups = new Map<string, Group>();
  /**
   * The zones of contacts that share one window. Both kinds must list them all, or emails of one kind would be claimed again by a zone of
   * the other.
   */
  const zonesOf = new Map<string, string[]>();
  for (const { timezone, is_b: isB, is_follow_up: isFollowUp, due, next_due } of [...emptyParts(row), ...waiting]) {
    const zone = row.uses_contact_zones ? zoneOfContact(timezone || null, row.timezone) : row.timezone;
    const kind = row.new_contacts_per_day === null ? {} : { isFirst: !isFollowUp };
    const place = JSON.stringify([zone, isB]);
    const zones = row.uses_contact_zones ? (zonesOf.get(place) ?? []) : null;
    if (zones !== null) zonesOf.set(place, zones);
    if (timezone !== null && zones?.includes(timezone) === false) zones.push(timezone);
    const key = JSON.stringify([place, kind]);
    const group = groups.get(key) ?? { isB, zones, window: windowOf(row, isB, zone), ...kind, due: 0, nextDue: null };
    groups.set(key, { ...group, due: group.due + due, nextDue: earlier(group.nextDue, next_due) });
  }
  return [...groups.values()].flatMap((group) => withOtherKind(group, [...groups.values()]));
}

/** Returns empty parts for a campaign in its own time zone, so that it has windows even if no email waits. */
function emptyParts(row: CampaignRow): WaitingRow[] {
  if (row.uses_contact_zones) return [];
  const part = { campaign_id: row.id, timezone: null, is_follow_up: true, due: 0, next_due: null };
  return (hasHoursOfB(row) ? [false, true] : [null]).map((is_b) => ({ ...part, is_b }));
}

/** Adds an empty group of the other kind if it is missing, because first emails lead to follow-ups. */
function withOtherKind(group: Group, groups: readonly Group[]): Group[] {
  const isOther = ({ isB, window, isFirst }: Group) =>
    isB === group.isB && isFirst !== group.isFirst && window.timezone === group.window.timezone;
  if (group.isFirst === undefined || groups.some(isOther)) return [group];
  return [group, { ...group, isFirst: !group.isFirst, due: 0, nextDue: null }];
}

/** Reads the rest of today's limits, for campaigns that have limits. */
async function dayLeftOf(db: Queryable, rows: readonly CampaignRow[], now: Date): Promise<Map<number, DayLeft>> {
  const left = new Map<number, DayLeft>();
  for (const row of rows) {
    if (row.new_contacts_per_day === null && row.max_per_company_per_day === null) continue;
    const used = await usedOn(db, row.id, localDay(now, zoneOrUtc(row.timezone)));
    left.set(row.id, new DayLeft(row, row.timezone, now, used));
  }
  return left;
}

function limitsOf(row: CampaignRow, left: DayLeft | undefined): Pick<CampaignState, 'isLimited' | 'newContacts' | 'left' | 'sequence'> {
  if (left === undefined) return {};
  const newContacts = row.new_contacts_per_day === null ? {} : { newContacts: { left: left.newContacts, nextDay: left.nextDay } };
  return { isLimited: true, ...newContacts, left, sequence: row.sequence };
}

const earlier = (one: Date | null, other: Date | null) => (one === null || (other !== null && other < one) ? other : one);

const windowOf = (row: CampaignRow, isB: boolean | null, timezone: string): SendingWindow =>
  campaignWindow({ ...row, timezone, contact_timezone: null, variant: isB ? 'B' : null });

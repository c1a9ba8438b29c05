import { contactZone, type SendingWindow, usesContactZones, zoneOfContact } from '../campaigns/index.ts';
import { type Queryable, sql } from '../db.ts';
import { isKnownZone } from '../zone.ts';
import { inGroups, isDue, writesFrom } from './claim.ts';
import type { CampaignState, Group } from './plan.ts';

interface CampaignRow {
  id: number;
  timezone: string;
  sending_days: number[];
  sending_hour_start: number;
  sending_hour_end: number;
  ab_test_enabled: boolean;
  sending_hour_start_b: number | null;
  sending_hour_end_b: number | null;
  starts_at: string | Date | null;
  uses_contact_zones: boolean;
  due_a: number;
  due_b: number;
  next_a: string | Date | null;
  next_b: string | Date | null;
}

/** What waits in one group of a campaign that goes by its contacts' zones. */
interface ZoneRow {
  campaign_id: number;
  timezone: string | null;
  is_b: boolean;
  due: number;
  next_due: string | Date | null;
}

/**
 * The active campaigns that write from this account and what of them is due, counted up to `atMost` per group: no more
 * than that can be in one batch. A group whose zone this machine does not know is left out; `explain` says so.
 * Indexes: campaigns_account, enrolments_account, enrolments_next, enrolments_next_b, enrolments_held.
 */
export async function loadCampaignStates(db: Queryable, accountId: number, now: Date, atMost: number): Promise<CampaignState[]> {
  const due = (isB: boolean) => sql`(
    select count(*)::int from (
      select 1 from enrolments e where e.campaign_id = c.id and ${isDue('e', now)}${inGroups('e', [{ isB, zones: null }])}
        and ${writesFrom('e', 'c')} = ${accountId} limit ${atMost}) due)`;
  const waits = (isB: boolean) => sql`
    e.campaign_id = c.id and e.status = 'active' and e.due_at is not null${inGroups('e', [{ isB, zones: null }])}
      and ${writesFrom('e', 'c')} = ${accountId}`;
  // The first entry of an index, and those that are held, which are few.
  const next = (isB: boolean) => sql`least(
    (select e.due_at from enrolments e where ${waits(isB)} and e.due_at > ${now} and (e.held_until is null or e.held_until <= ${now})
      order by e.due_at limit 1),
    (select min(greatest(e.due_at, e.held_until)) from enrolments e where ${waits(isB)} and e.held_until > ${now}))`;
  // Each campaign of the account's enrolments is found by the one before it: a jump in the index, not a walk.
  const ofAccount = sql`from enrolments e where e.account_id = ${accountId} and e.status = 'active' and e.due_at is not null`;
  const rows = await db.query<CampaignRow>(sql`
    with recursive joined (id) as (
      (select e.campaign_id ${ofAccount} order by e.campaign_id limit 1)
      union all
      select (select e.campaign_id ${ofAccount} and e.campaign_id > joined.id order by e.campaign_id limit 1) from joined where joined.id is not null)
    select c.*, case when c.uses_contact_zones then 0 else ${due(false)} end as due_a,
      case when c.uses_contact_zones then 0 else ${due(true)} end as due_b,
      case when not c.uses_contact_zones then ${next(false)} end as next_a, case when not c.uses_contact_zones then ${next(true)} end as next_b
    from (
      select c.id, c.account_id, c.timezone, c.sending_days, c.sending_hour_start, c.sending_hour_end, c.ab_test_enabled,
        c.sending_hour_start_b, c.sending_hour_end_b, c.starts_at, ${usesContactZones('c')} as uses_contact_zones
      from campaigns c
      where c.status = 'active' and c.deleted_at is null and not c.is_archived
        and (c.account_id = ${accountId} or c.id in (select joined.id from joined))) c
    order by c.id`);
  const byZone = await loadZones(
    db,
    accountId,
    now,
    rows.filter((row) => row.uses_contact_zones).map((row) => row.id),
  );
  return rows.map((row) => {
    const groups = row.uses_contact_zones
      ? zoneGroups(
          row,
          byZone.filter((zone) => zone.campaign_id === row.id),
        )
      : campaignGroups(row);
    return {
      id: row.id,
      timezone: row.timezone,
      startsAt: asDate(row.starts_at),
      groups: groups.filter(({ window }) => isKnownZone(window.timezone)),
    };
  });
}

/** Reads all that waits in these campaigns, for zones are few and their names are anybody's. Index: enrolments_due. */
async function loadZones(db: Queryable, accountId: number, now: Date, campaignIds: readonly number[]): Promise<ZoneRow[]> {
  if (campaignIds.length === 0) return [];
  const ready = sql`greatest(e.due_at, e.held_until)`;
  return db.query<ZoneRow>(sql`
    select e.campaign_id, ${contactZone('e', 'c')} as timezone, coalesce(e.variant = 'B', false) as is_b,
      (count(*) filter (where ${ready} <= ${now}))::int as due, min(${ready}) filter (where ${ready} > ${now}) as next_due
    from enrolments e join campaigns c on c.id = e.campaign_id
    where e.campaign_id = any(${campaignIds}::int[]) and e.status = 'active' and e.due_at is not null and ${writesFrom('e', 'c')} = ${accountId}
    group by 1, 2, 3 order by 1, 2 nulls first, 3`);
}

const asDate = (value: string | Date | null) => (value === null ? null : new Date(value));

function campaignGroups(row: CampaignRow): Group[] {
  return [
    { isB: false, zones: null, window: windowOf(row, false, row.timezone), due: row.due_a, nextDue: asDate(row.next_a) },
    { isB: true, zones: null, window: windowOf(row, true, row.timezone), due: row.due_b, nextDue: asDate(row.next_b) },
  ];
}

/** One group for each zone and variant; whoever names no zone, or none that is known, is in that of the campaign. */
function zoneGroups(row: CampaignRow, waiting: readonly ZoneRow[]): Group[] {
  const groups = new Map<string, Group & { zones: string[] }>();
  for (const { timezone, is_b: isB, due, next_due } of waiting) {
    const zone = zoneOfContact(timezone, row.timezone);
    const group = groups.get(`${zone} ${isB}`) ?? { isB, zones: [], window: windowOf(row, isB, zone), due: 0, nextDue: null };
    group.zones.push(timezone ?? '');
    group.due += due;
    group.nextDue = earlier(group.nextDue, asDate(next_due));
    groups.set(`${zone} ${isB}`, group);
  }
  return [...groups.values()];
}

const earlier = (one: Date | null, other: Date | null) => (one === null || (other !== null && other < one) ? other : one);

function windowOf(row: CampaignRow, isB: boolean, timezone: string): SendingWindow {
  const [startB, endB] = [row.sending_hour_start_b, row.sending_hour_end_b];
  const hasOwnHours = isB && row.ab_test_enabled && startB !== null && endB !== null;
  return {
    timezone,
    startHour: hasOwnHours ? startB : row.sending_hour_start,
    endHour: hasOwnHours ? endB : row.sending_hour_end,
    days: row.sending_days,
  };
}

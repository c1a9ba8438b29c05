import {
  type CampaignSchedule,
  campaignWindow,
  hasEmailStep,
  isRunning,
  isWaiting,
  type SendingWindow,
  usesContactZones,
  windowColumns,
  zoneOfContact,
} from '../../campaigns/index.ts';
import { isKnownZone } from '../../core/zone.ts';
import { prepared, type Queryable, sql } from '../../db/statement.ts';
import type { CampaignState, Group } from '../plan/campaign-state.ts';
import { type WaitingRow, waitingInGroups, waitingInZones } from './waiting.ts';

interface CampaignRow extends Omit<CampaignSchedule, 'contact_timezone' | 'variant'> {
  id: number;
  starts_at: Date | null;
  uses_contact_zones: boolean;
}

/**
 * Reads the active campaigns that send from this account, with their due emails, counted up to `atMost` a group, which is
 * all that one batch can hold. A campaign without an email step is left out, and so is a group whose time zone is unknown to
 * this machine; `explain` reports both.
 */
export async function loadCampaignStates(db: Queryable, accountId: number, now: Date, atMost: number): Promise<CampaignState[]> {
  const rows = await loadCampaigns(db, accountId);
  const [byZone, alike] = [true, false].map((isByZone) => rows.filter((row) => row.uses_contact_zones === isByZone).map(({ id }) => id));
  const waiting = [
    ...(await waitingInZones(db, accountId, byZone ?? [], now, atMost)),
    ...(await waitingInGroups(db, accountId, alike ?? [], now, atMost)),
  ];
  return rows.map((row) => {
    const ofCampaign = waiting.filter(({ campaign_id }) => campaign_id === row.id);
    const groups = row.uses_contact_zones ? zoneGroups(row, ofCampaign) : campaignGroups(row, ofCampaign);
    return {
      id: row.id,
      timezone: row.timezone,
      holidays: row.holidays,
      startsAt: row.starts_at,
      groups: groups.filter(({ window }) => isKnownZone(window.timezone)),
    };
  });
}

/** Reads the account's campaigns, and those in which it has started enrolments. Indexes: campaigns_account, enrolments_account, steps_live_order. */
function loadCampaigns(db: Queryable, accountId: number): Promise<CampaignRow[]> {
  // A loose index scan: each campaign of the account's enrolments is looked up from the one before it.
  const ofAccount = sql`from enrolments e where e.account_id = ${accountId} and ${isWaiting('e')}`;
  return db.query<CampaignRow>(
    prepared(
      'campaigns-of-account',
      sql`
    with recursive joined (id) as (
      (select e.campaign_id ${ofAccount} order by e.campaign_id limit 1)
      union all
      select (select e.campaign_id ${ofAccount} and e.campaign_id > joined.id order by e.campaign_id limit 1) from joined where joined.id is not null)
    select c.id, ${windowColumns('c')}, c.starts_at, ${usesContactZones('c')} as uses_contact_zones
    from (select id from campaigns where account_id = ${accountId} and deleted_at is null union select id from joined) own
    cross join lateral (
      select * from campaigns k where k.id = own.id and ${isRunning('k')} offset 0) c
    where ${hasEmailStep('c')}
    order by c.id`,
    ),
  );
}

function campaignGroups(row: CampaignRow, waiting: readonly WaitingRow[]): Group[] {
  return waiting.map(({ is_b: isB, due, next_due }) => ({
    isB,
    zones: null,
    window: windowOf(row, isB, row.timezone),
    due,
    nextDue: next_due,
  }));
}

/** One group for each time zone and variant; contacts without a known time zone are in that of the campaign. */
function zoneGroups(row: CampaignRow, waiting: readonly WaitingRow[]): Group[] {
  const groups = new Map<string, Group & { zones: string[] }>();
  for (const { timezone, is_b: isB, due, next_due } of waiting) {
    const zone = zoneOfContact(timezone === '' ? null : timezone, row.timezone);
    const group = groups.get(`${zone} ${isB}`) ?? { isB, zones: [], window: windowOf(row, isB, zone), due: 0, nextDue: null };
    group.zones.push(timezone);
    group.due += due;
    group.nextDue = earlier(group.nextDue, next_due);
    groups.set(`${zone} ${isB}`, group);
  }
  return [...groups.values()];
}

const earlier = (one: Date | null, other: Date | null) => (one === null || (other !== null && other < one) ? other : one);

const windowOf = (row: CampaignRow, isB: boolean, timezone: string): SendingWindow =>
  campaignWindow({ ...row, timezone, contact_timezone: null, variant: isB ? 'B' : null });

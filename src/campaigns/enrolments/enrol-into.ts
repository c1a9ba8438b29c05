import { audit, type Caller, missing } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { suppressedCondition } from '../../contacts/index.ts';
import { raw, type Sql, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { recordEnrolled, variantCounts } from '../../events/index.ts';
import { lockCampaigns } from '../campaign/lock-campaigns.ts';
import { reopenCampaign } from '../campaign/reopen.ts';
import { wakeAccountOf } from '../campaign/wake.ts';
import { zoneInFields } from '../schedule/contact-zone.ts';
import { longestHoldOf } from './hold-everywhere.ts';

/** A campaign, read under its row lock. */
interface LockedCampaign {
  id: number;
  workspace_id: number;
  starts_at: Date | null;
  ab_test_enabled: boolean;
  ab_split_percent: number;
  /** Number of contacts in each A/B group so far. */
  variants: { A: number; B: number };
}

/**
 * Enrols contacts into one campaign in the caller's transaction, with event, A/B group and audit entry.
 * @param contacts a `from` clause with the contacts who may be enrolled as `k`
 * @param because fields of the audit entry besides the number of contacts
 * @returns the number of contacts who were not in the campaign before
 */
export async function enrolInto(
  tx: Tx,
  app: App,
  caller: Caller,
  campaignId: number,
  contacts: Sql,
  because: Readonly<Record<string, unknown>>,
): Promise<number> {
  const now = app.clock.now();
  const campaign = await lockForEnrolling(tx, campaignId);
  const dueAt = new Date(Math.max(now.getTime(), campaign.starts_at?.getTime() ?? 0));
  const enrolments = await insertEnrolments(tx, app, campaign, contacts, { now, dueAt });
  if (enrolments.length === 0) return 0;
  await recordEnrolled(
    tx,
    enrolments.map((row) => row.id),
    now,
  );
  await audit(tx, caller, now, {
    action: 'campaign.enrol',
    resourceType: 'campaign',
    resourceId: campaignId,
    changes: { enrolled: enrolments.length, ...because },
  });
  await reopenCampaign(tx, app, caller, campaignId);
  await wakeAccountOf(tx, campaignId, dueAt);
  return enrolments.length;
}

/** Locks a campaign so that enrolments into it run one after the other: the A/B split stays exact and no contact is enrolled twice. */
async function lockForEnrolling(tx: Tx, campaignId: number): Promise<LockedCampaign> {
  await lockCampaigns(tx, [campaignId]);
  const [campaign] = await tx.query<Omit<LockedCampaign, 'variants'>>(sql`
    select c.id, c.workspace_id, c.starts_at, c.ab_test_enabled, c.ab_split_percent from campaigns c where c.id = ${campaignId}`);
  if (campaign === undefined) throw missing('campaigns');
  return { ...campaign, variants: campaign.ab_test_enabled ? await enrolledSoFar(tx, campaignId) : { A: 0, B: 0 } };
}

async function enrolledSoFar(tx: Tx, campaignId: number): Promise<LockedCampaign['variants']> {
  const rows = await tx.query<{ variant: 'A' | 'B' | null; contacts: number }>(variantCounts(sql`select ${campaignId}::int`));
  const inGroup = (variant: 'A' | 'B') => rows.find((row) => row.variant === variant)?.contacts ?? 0;
  return { A: inGroup('A'), B: inGroup('B') };
}

/**
 * Inserts any number of enrolments in one statement, and locks the contacts so that they can't be archived or deleted meanwhile. Assigns
 * A/B groups in random order, so that the order of a list can't bias them, and only to contacts who get emails.
 */
function insertEnrolments(tx: Tx, app: App, campaign: LockedCampaign, contacts: Sql, times: { now: Date; dueAt: Date }) {
  const seed = app.random.integer(0, 2 ** 31 - 1);
  return tx.query<{ id: number }>(sql`
    with chosen as (
      select k.id, ${suppressedCondition(app, raw('k.workspace_id'), raw('k.email'))} as is_suppressed,
        ${zoneInFields('k')} as timezone
      ${contacts} and not exists (select from enrolments e where e.campaign_id = ${campaign.id} and e.contact_id = k.id)
      for share of k
    ), shuffled as (
      select k.id, is_suppressed, timezone, h.*,
        row_number() over (partition by is_suppressed order by md5(k.id || ':' || ${seed}::int))::int as turn
      from chosen k left join lateral (${longestHoldOf(times.now)}) h on true
    )
    insert into enrolments (workspace_id, campaign_id, contact_id, status, stop_reason, variant, timezone, due_at, created_at, updated_at,
      held_until, hold_reason, held_by, before_hold)
    select ${campaign.workspace_id}::int, ${campaign.id}::int, id,
      case when is_suppressed then 'stopped' else 'active' end, case when is_suppressed then 'suppressed' end,
      case when not is_suppressed then ${variantOf(campaign)} end, timezone,
      case when not is_suppressed then ${times.dueAt}::timestamptz end, ${times.now}, ${times.now},
      held_until, hold_reason, held_by, before_hold
    from shuffled order by id on conflict (campaign_id, contact_id) do nothing returning id`);
}

/**
 * Returns the A/B group of the `turn`-th new enrolment, chosen so that group A keeps its percentage, rounded, of all enrolments that have a
 * group. After the percentage changes, new enrolments go to one group until the split matches it again.
 */
function variantOf({ ab_test_enabled, ab_split_percent, variants: { A, B } }: LockedCampaign): Sql {
  if (!ab_test_enabled) return sql`null`;
  const inGroupA = (turns: Sql) => sql`least(${A}::int + ${turns},
    greatest(${A}::int, ((${A + B}::int + ${turns}) * ${ab_split_percent}::int + 50) / 100))`;
  return sql`case when ${inGroupA(raw('turn'))} > ${inGroupA(raw('(turn - 1)'))} then 'A' else 'B' end`;
}

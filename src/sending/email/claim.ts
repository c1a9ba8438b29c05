import { uncountEmail } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { holdForCompany, isDue, isLiveStep, isRunning, makeDue, releaseAndMakeDue, sendsFrom, takeDue } from '../../campaigns/index.ts';
import { empty, prepared, type Queryable, type Sql, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { messageIdOf, messageKey } from '../../mail/message-id.ts';
import { type Claim, insertClaims, type NewClaim, releaseClaimed, releaseUntransmitted } from '../../outbox/index.ts';
import type { Allocation } from '../plan/batch-slots.ts';
import type { DayLeft } from '../plan/day-left.ts';
import { lockDayLeft } from './claim-limits.ts';
import { companyOf } from './company.ts';

/** An email claimed by this process, with the fields needed to prepare it. */
export interface ClaimedEmail extends Claim {
  /** False for the first email of an enrolment, true for all others. */
  is_follow_up: boolean;
  /** IANA name of the contact's own time zone, or null. */
  timezone: string | null;
}

/** Restricts a condition on enrolment `e` to variant B, or to all enrolments not in it. */
const inVariant = (isB: boolean): Sql => (isB ? sql` and e.variant = 'B'` : sql` and e.variant is distinct from 'B'`);

/**
 * Selects the ids of the enrolments due next in these groups, follow-ups first (see `areFollowUpsFirst`), longest due first. First emails
 * and follow-ups are searched separately, and so is each time zone if the campaign uses those of its contacts, so that no row is read in
 * vain. Indexes: enrolments_active, enrolments_zone. Written differently, PostgreSQL reads and sorts the whole campaign:
 * - The kind is joined as a row. PostgreSQL would fold a constant into a condition that matches no index.
 * - `(select ...)` hides the campaign, because PostgreSQL assumes that a campaign missing from its statistics is empty. It also hides lists
 *   and limits, so that all statements share one plan: planning took two thirds of a tick's time (1,000 accounts: 3.4 s with it,
 *   1.7 s without).
 * - With `case`, PostgreSQL expects to claim every other row. It estimates that a bare comparison matches few rows, too few for the limit.
 */
function nextOf(account: ClaimRequest['account'], { campaignId, count, groups, firstOnly }: Allocation, now: Date, noFirst: boolean): Sql {
  const firstOf = (ofQueue: Sql) => sql`
    cross join campaigns c
    cross join lateral (
      select e.id, e.due_at from enrolments e
      where e.campaign_id = (select ${campaignId}::int) and ${isDue('e', now)} and (e.last_sent_step > 0) = l.is_follow_up${ofQueue}
        and case when ${sendsFrom('e', 'c')} = ${account.id} then (
          select true from steps s where s.campaign_id = c.id and s.step_order = e.current_step and ${isLiveStep('s', 'email')}) end
      order by e.due_at, e.id limit (select ${count}::int)) n
    where c.id = ${campaignId}`;
  const variants = new Set(groups.filter(({ zones }) => zones === null).map(({ isB }) => isB));
  const kinds = [...(firstOnly ? [] : [true]), ...(noFirst ? [] : [false])];
  const queues = kinds.flatMap((isFollowUp) =>
    groups.flatMap(({ isB, zones, isFirst }) =>
      (isFirst === isFollowUp ? [] : (zones ?? [])).map((zone) => ({ isFollowUp, zone, variant: isB ? 'B' : 'A' })),
    ),
  );
  const byVariant = sql`
    select l.is_follow_up, n.* from unnest((select ${kinds}::boolean[])) l (is_follow_up)
    ${firstOf(variants.has(null) || variants.size === 2 ? empty : inVariant(variants.has(true)))}`;
  const byZone = sql`
    select l.is_follow_up, n.* from unnest((select ${queues.map(({ zone }) => zone)}::text[]),
      (select ${queues.map(({ variant }) => variant)}::text[]), (select ${queues.map(({ isFollowUp }) => isFollowUp)}::boolean[])) l (zone, variant, is_follow_up)
    ${firstOf(sql` and coalesce(e.timezone, '') = l.zone and coalesce(e.variant, 'A') = l.variant`)}`;
  return sql`select id from (${variants.size > 0 ? byVariant : byZone}) n
    order by n.is_follow_up = (select ${areFollowUpsFirst(account)}::boolean) desc, n.due_at, n.id limit (select ${count}::int)`;
}

/** A request to claim emails of one campaign for an account. */
export interface ClaimRequest {
  account: { id: number; email: string; hasRefusedFollowUp: boolean };
  allocation: Allocation;
}

/**
 * Follow-ups come before first emails, because their time was promised, unless the latest one was refused: otherwise a few follow-ups that
 * a server keeps deferring could be the only emails attempted, which would look like an outage and delay all contacts.
 */
const areFollowUpsFirst = ({ hasRefusedFollowUp }: ClaimRequest['account']): boolean => !hasRefusedFollowUp;

type DueRow = Omit<NewClaim, 'campaign_id' | 'account_id' | 'message_id' | 'counts_on' | 'is_first'> &
  Pick<ClaimedEmail, 'is_follow_up' | 'timezone'> & { due_at: Date };

/**
 * Claims up to `count` due emails of one campaign for this process, follow-ups first (see `areFollowUpsFirst`), longest due first. In one
 * transaction each becomes a row of the outbox in state `claimed` and is no longer due. Skips emails that other processes are claiming, and
 * steps whose row is in any state but `retry`. Claims no more than the campaign's daily limits allow.
 */
export async function claimEmails(app: App, request: ClaimRequest): Promise<ClaimedEmail[]> {
  const now = app.clock.now();
  return app.db.tx(async (tx) => {
    const left = request.allocation.isLimited ? await lockDayLeft(tx, request.allocation.campaignId, now) : null;
    if (left !== null) return claimWithin(tx, app, request, left, now);
    return insertDue(tx, app, (await lockDue(tx, request, now)).map(assignedTo(request)), now, null);
  });
}

/**
 * Claims until the allocation is full or the limits allow none of the due emails. Companies that reached their limit are held until the
 * next day.
 */
async function claimWithin(tx: Tx, app: App, request: ClaimRequest, left: DayLeft, now: Date): Promise<ClaimedEmail[]> {
  const { account, allocation } = request;
  const claimed: ClaimedEmail[] = [];
  while (claimed.length < allocation.count) {
    const due = await lockDue(
      tx,
      { account, allocation: { ...allocation, count: allocation.count - claimed.length } },
      now,
      left.newContacts === 0,
    );
    if (due.length === 0) break;
    const allowed = due.filter((row) => left.admit(!row.is_follow_up, companyOf(row.recipient)));
    claimed.push(...(await insertDue(tx, app, allowed.map(assignedTo(request)), now, left.day)));
    const held = due.filter((row) => !allowed.includes(row) && left.isFull(companyOf(row.recipient)));
    for (const row of held) await holdForCompany(tx, [row.enrolment_id], left.nextDay, companyOf(row.recipient) ?? '', left.perCompany);
    // The rest are first emails beyond the limit; the next query leaves first emails out.
  }
  return claimed;
}

/**
 * Locks the emails that are due next, except those that other processes are claiming. The search finds ids first, and each row is then
 * locked by its id: if the search locked rows itself, PostgreSQL might read all rows of the campaign. The rows are sorted here, because a
 * row may have changed before it was locked. Indexes: enrolments_pkey, campaigns_pkey, steps_live_order, contacts_pkey.
 */
async function lockDue(tx: Tx, { account, allocation }: ClaimRequest, now: Date, noFirst = false): Promise<DueRow[]> {
  const due = await tx.query<DueRow>(
    prepared(
      'due-emails',
      sql`
    with next as materialized (${nextOf(account, allocation, now, noFirst)})
    select e.id as enrolment_id, e.workspace_id, e.contact_id, e.variant, s.id as step_id, s.step_order, t.email as recipient,
      e.last_sent_step > 0 as is_follow_up, e.timezone, e.due_at
    from next
    cross join lateral (select * from enrolments where enrolments.id = next.id limit 1 for update skip locked) e
    join campaigns c on c.id = e.campaign_id and ${isRunning('c')}
    join steps s on s.campaign_id = e.campaign_id and s.step_order = e.current_step and ${isLiveStep('s', 'email')}
    join contacts t on t.id = e.contact_id
    where e.campaign_id = ${allocation.campaignId} and ${isDue('e', now)} and ${sendsFrom('e', 'c')} = ${account.id}`,
    ),
  );
  const followUpsFirst = areFollowUpsFirst(account);
  return due.toSorted(
    (one, other) =>
      Number(other.is_follow_up === followUpsFirst) - Number(one.is_follow_up === followUpsFirst) ||
      one.due_at.getTime() - other.due_at.getTime() ||
      one.enrolment_id - other.enrolment_id,
  );
}

/** A due email with the account and campaign for which it is claimed. */
interface AssignedRow extends DueRow {
  account_id: number;
  campaign_id: number;
  /** Address of the account. */
  sender: string;
}

const assignedTo =
  ({ account, allocation }: ClaimRequest) =>
  (row: DueRow): AssignedRow => ({ ...row, account_id: account.id, campaign_id: allocation.campaignId, sender: account.email });

/** @param day the day on which the emails count against the limits of their campaign; null without such limits */
async function insertDue(tx: Queryable, app: App, due: readonly AssignedRow[], now: Date, day: string | null): Promise<ClaimedEmail[]> {
  if (due.length === 0) return [];
  const dueOf = new Map(due.map((row) => [row.enrolment_id, row]));
  const emails = due.map((row) => ({
    ...row,
    message_id: messageIdOf(messageKey(app.sealer, row.workspace_id, row.enrolment_id, row.step_id), row.sender),
    counts_on: day,
    is_first: day === null ? null : !row.is_follow_up,
  }));
  const claimed = await insertClaims(tx, emails, now, takeDue([...dueOf.keys()]));
  return claimed.map((email) => {
    const { is_follow_up = false, timezone = null } = dueOf.get(email.enrolment_id) ?? {};
    return { ...email, is_follow_up, timezone };
  });
}

/** Releases claims that were not attempted. The emails are due again at `dueAt`, and the attempt does not count. */
export async function releaseClaims(tx: Tx, ids: readonly number[], dueAt: Date): Promise<void> {
  if (ids.length === 0) return;
  await releaseAndMakeDue(tx, releaseClaimed(ids), dueAt);
}

/** Releases emails that were certainly not sent, even those with a permit, which it subtracts from the account's day. */
export async function releaseUnsent(app: App, account: { id: number; timezone: string }, emails: readonly ClaimedEmail[]): Promise<void> {
  const now = app.clock.now();
  await app.db.tx(async (tx) => {
    const rows = await releaseUntransmitted(
      tx,
      account.id,
      emails.map((email) => email.id),
    );
    for (const row of rows) if (row.permitted_at !== null) await uncountEmail(tx, account, row.permitted_at);
    await makeDue(
      tx,
      rows.map((row) => row.enrolment_id),
      now,
    );
  });
}

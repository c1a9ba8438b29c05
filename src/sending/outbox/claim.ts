import { isLiveAccount, uncountEmail } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { WORKER } from '../../core/worker.ts';
import { empty, prepared, raw, type Sql, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { messageIdOf, messageKey } from '../../mail/message-id.ts';
import type { Share } from '../plan/plan.ts';

/** Lease of a claim in seconds, by the database's clock, which all daemons share. */
const CLAIM_LEASE_SECONDS = 300;

/** An email that this process may try to send: a row of the outbox, with what preparing it takes. */
export interface ClaimedEmail {
  id: number;
  workspace_id: number;
  campaign_id: number;
  enrolment_id: number;
  contact_id: number;
  account_id: number;
  step_id: number;
  step_order: number;
  variant: 'A' | 'B' | null;
  attempt: number;
  recipient: string;
  message_id: string;
  /** True for every email of an enrolment but its first. */
  is_follow_up: boolean;
  /** IANA name of the contact's own time zone, or null. */
  timezone: string | null;
}

/** The account that sends for an enrolment: the one it began with while that is live, else its campaign's. */
export const writesFrom = (enrolment: string, campaign: string): Sql =>
  sql`coalesce((select l.id from accounts l where l.id = ${raw(enrolment)}.account_id and ${isLiveAccount('l')}), ${raw(campaign)}.account_id)`;

/** The enrolment is due: it is active, and its wait and its hold are over. */
export const isDue = (enrolment: string, now: Date): Sql => {
  const e = raw(enrolment);
  return sql`${e}.status = 'active' and ${e}.due_at <= ${now} and (${e}.held_until is null or ${e}.held_until <= ${now})`;
};

/** Restricts to contacts of group B, or to all others. */
export const inVariant = (enrolment: string, isB: boolean): Sql =>
  isB ? sql` and ${raw(enrolment)}.variant = 'B'` : sql` and ${raw(enrolment)}.variant is distinct from 'B'`;

/**
 * The ids of the enrolments due next in these groups, follow-ups first, oldest due first. First emails and follow-ups, and
 * each time zone where the campaign uses those of its contacts, are searched apart, so that no row is read only to be
 * passed over. The kind comes as a row, since a constant would become a condition that no index has.
 * Indexes: enrolments_due, enrolments_zone.
 */
function nextOf(accountId: number, { campaignId, count, groups }: Share, now: Date): Sql {
  const firstOf = (ofLane: Sql) => sql`
    cross join lateral (
      select e.id, e.due_at from enrolments e join campaigns c on c.id = e.campaign_id
      where e.campaign_id = ${campaignId} and ${isDue('e', now)} and ${writesFrom('e', 'c')} = ${accountId}
        and (e.last_sent_step > 0) = l.is_follow_up${ofLane} and exists (
          select from steps s where s.campaign_id = c.id and s.step_order = e.current_step and s.deleted_at is null and s.kind = 'email')
      order by e.due_at, e.id limit ${count}) n`;
  const variants = new Set(groups.filter(({ zones }) => zones === null).map(({ isB }) => isB));
  const lanes = [true, false].flatMap((isFollowUp) =>
    groups.flatMap(({ isB, zones }) => (zones ?? []).map((zone) => ({ isFollowUp, zone, variant: isB ? 'B' : 'A' }))),
  );
  const byVariant = sql`
    select l.is_follow_up, n.* from (values (true), (false)) l (is_follow_up)
    ${firstOf(variants.size === 2 ? empty : inVariant('e', variants.has(true)))}`;
  const byZone = sql`
    select l.is_follow_up, n.* from unnest(${lanes.map(({ zone }) => zone)}::text[], ${lanes.map(({ variant }) => variant)}::text[],
      ${lanes.map(({ isFollowUp }) => isFollowUp)}::boolean[]) l (zone, variant, is_follow_up)
    ${firstOf(sql` and coalesce(e.timezone, '') = l.zone and coalesce(e.variant, 'A') = l.variant`)}`;
  return sql`select id from (${variants.size > 0 ? byVariant : byZone}) n order by n.is_follow_up desc, n.due_at, n.id limit ${count}`;
}

interface DueRow {
  enrolment_id: number;
  workspace_id: number;
  contact_id: number;
  variant: 'A' | 'B' | null;
  step_id: number;
  step_order: number;
  recipient: string;
  is_follow_up: boolean;
  timezone: string | null;
}

/**
 * Claims up to `count` due emails of one campaign for this process, follow-ups first, oldest due first. In one transaction
 * each becomes a row of the outbox in state `claimed` and stops being due. Skips what others claim at the same time, and a
 * step whose row has any other state than `retry`.
 */
export async function claimEmails(app: App, account: { id: number; email: string }, share: Share): Promise<ClaimedEmail[]> {
  const now = app.clock.now();
  return app.db.tx(async (tx) => {
    // Not prepared: a plan for any campaign would read a large one whole.
    const due = await tx.query<DueRow>(sql`
      select e.id as enrolment_id, e.workspace_id, e.contact_id, e.variant, s.id as step_id, s.step_order, t.email as recipient,
        e.last_sent_step > 0 as is_follow_up, e.timezone
      from enrolments e
      join campaigns c on c.id = e.campaign_id and c.status = 'active' and c.deleted_at is null and not c.is_archived
      join steps s on s.campaign_id = e.campaign_id and s.step_order = e.current_step and s.deleted_at is null and s.kind = 'email'
      join contacts t on t.id = e.contact_id
      where e.id in (${nextOf(account.id, share, now)}) and ${isDue('e', now)} and ${writesFrom('e', 'c')} = ${account.id}
      order by (e.last_sent_step > 0) desc, e.due_at, e.id
      for update of e skip locked`);
    if (due.length === 0) return [];
    await tx.query(sql`update enrolments set due_at = null where id = any(${due.map((row) => row.enrolment_id)}::int[])`);
    const claimed = await insertClaims(tx, app, account, share.campaignId, due, now);
    const dueOf = new Map(due.map((row) => [row.enrolment_id, row]));
    return claimed.map((email) => {
      const { is_follow_up = false, timezone = null } = dueOf.get(email.enrolment_id) ?? {};
      return { ...email, is_follow_up, timezone };
    });
  });
}

function insertClaims(tx: Tx, app: App, account: { id: number; email: string }, campaignId: number, due: DueRow[], now: Date) {
  const rows = due.map((row) => ({
    ...row,
    message_id: messageIdOf(messageKey(app.sealer, row.workspace_id, row.enrolment_id, row.step_id), account.email),
  }));
  return tx.query<Omit<ClaimedEmail, 'is_follow_up' | 'timezone'>>(
    prepared(
      'claim-emails',
      sql`
    insert into outbox (workspace_id, campaign_id, enrolment_id, contact_id, account_id, step_id, step_order, variant, recipient,
      state, worker, lease_until, message_id, claimed_at)
    select d.workspace_id, ${campaignId}, d.enrolment_id, d.contact_id, ${account.id}, d.step_id, d.step_order, d.variant, d.recipient,
      'claimed', ${WORKER}, now() + make_interval(secs => ${CLAIM_LEASE_SECONDS}), d.message_id, ${now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as d (workspace_id int, enrolment_id int, contact_id int, step_id int,
      step_order int, variant text, recipient text, message_id text)
    on conflict (enrolment_id, step_id) do update set
      state = 'claimed', attempt = outbox.attempt + 1, worker = excluded.worker, lease_until = excluded.lease_until,
      claimed_at = excluded.claimed_at, account_id = excluded.account_id, recipient = excluded.recipient,
      message_id = excluded.message_id, step_order = excluded.step_order, transmitting_at = null
    where outbox.state = 'retry'
    returning id, workspace_id, campaign_id, enrolment_id, contact_id, account_id, step_id, step_order, variant, attempt, recipient, message_id`,
    ),
  );
}

/** Releases claims that were not tried: due again at `dueAt`, the try not counted. */
export async function releaseClaims(tx: Tx, ids: readonly number[], dueAt: Date): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(sql`
    with released as (
      update outbox set state = 'retry', attempt = attempt - 1, worker = null, lease_until = null
      where id = any(${ids}::bigint[]) and state = 'claimed' and worker = ${WORKER}
      returning enrolment_id)
    update enrolments e set due_at = ${dueAt} from released r where e.id = r.enrolment_id and e.status = 'active'`);
}

/** Releases emails that certainly were not sent, though they may have a permit; that is taken off the account's day again. */
export async function releaseUnsent(app: App, account: { id: number; timezone: string }, emails: readonly ClaimedEmail[]): Promise<void> {
  const now = app.clock.now();
  await app.db.tx(async (tx) => {
    const rows = await tx.query<{ enrolment_id: number; transmitting_at: Date | null }>(sql`
      with old as (
        select id, enrolment_id, transmitting_at from outbox
        where id = any(${emails.map((email) => email.id)}::bigint[]) and state in ('claimed', 'transmitting') and worker = ${WORKER} for update)
      update outbox o set state = 'retry', attempt = o.attempt - 1, worker = null, lease_until = null, transmitting_at = null
      from old where o.id = old.id returning old.enrolment_id, old.transmitting_at`);
    for (const row of rows) if (row.transmitting_at !== null) await uncountEmail(tx, account, row.transmitting_at);
    await tx.query(sql`
      update enrolments set due_at = ${now} where id = any(${rows.map((row) => row.enrolment_id)}::int[]) and status = 'active'`);
  });
}

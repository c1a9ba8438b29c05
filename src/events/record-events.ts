import { eventsTotal } from '../core/metrics.ts';
import { prepared, type Sql, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import type { NewEvent } from './event.ts';
import { happened } from './happened.ts';
import { placedEvents } from './placed-events.ts';
import { publishEvents, subscribed } from './publish-events.ts';
import { recordSent } from './record-sent.ts';
import { addToReports, keepingReports } from './report-counters.ts';

/**
 * Logs events, updates the campaigns' statistics and reports and publishes to webhooks, in the transaction of the change itself.
 * `sent` counts emails; the other counters count contacts, once per campaign, by the first-time columns of the enrolment.
 * One statement for any number of events. To avoid deadlocks it locks the enrolments first and then the statistics of
 * every affected campaign, both in id order. Whoever records `sent` holds the locks of the enrolments already.
 */
export async function recordEvents(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await lockEnrolments(
    tx,
    events.filter(({ type }) => type !== 'sent').map(({ enrolmentId }) => enrolmentId),
  );
  const areSent = events.every(({ type }) => type === 'sent');
  const statement = areSent ? prepared('record-sent', recordSent(events)) : prepared('record-events', record(events));
  await publishEvents(tx, idsOf(await tx.query<{ id: number }>(statement)));
  tx.afterCommit(async () => {
    for (const { type } of events) eventsTotal.inc({ type });
  });
}

/** Logs and counts events of any type. */
const record = (events: readonly NewEvent[]): Sql => sql`
    with happened as (${happened(events)}
    ), firsts as (
      select enrolment_id,
        min(at) filter (where type = 'opened') as opened_at, min(at) filter (where type = 'clicked') as clicked_at,
        min(at) filter (where type = 'replied') as replied_at, min(at) filter (where type = 'bounced') as bounced_at,
        min(at) filter (where type = 'failed') as failed_at, min(at) filter (where type = 'unsubscribed') as unsubscribed_at
      from happened where type not in ('sent', 'enrolled') group by enrolment_id
    ), known as (
      select e.id, e.campaign_id, e.opened_at, e.clicked_at, e.replied_at, e.bounced_at, e.failed_at, e.unsubscribed_at
      from enrolments e where e.id in (select enrolment_id from firsts) order by e.id for no key update
    ), marked as (
      update enrolments e set
        opened_at = least(e.opened_at, f.opened_at), clicked_at = least(e.clicked_at, f.clicked_at),
        replied_at = least(e.replied_at, f.replied_at), bounced_at = least(e.bounced_at, f.bounced_at),
        failed_at = least(e.failed_at, f.failed_at), unsubscribed_at = least(e.unsubscribed_at, f.unsubscribed_at)
      from known k join firsts f on f.enrolment_id = k.id where e.id = k.id
    ), counted as (
      insert into campaign_stats as s (campaign_id, sent, opened, clicked, replied, bounced, failed)
      select campaign_id, sum(sent), sum(opened), sum(clicked), sum(replied), sum(bounced), sum(failed) from (
        select campaign_id, (type = 'sent')::int as sent, 0 as opened, 0 as clicked, 0 as replied, 0 as bounced, 0 as failed
        from happened
        union all
        select k.campaign_id, 0,
          (k.opened_at is null and f.opened_at is not null)::int, (k.clicked_at is null and f.clicked_at is not null)::int,
          (k.replied_at is null and f.replied_at is not null)::int, (k.bounced_at is null and f.bounced_at is not null)::int,
          (k.failed_at is null and f.failed_at is not null)::int
        from known k join firsts f on f.enrolment_id = k.id
      ) gains group by campaign_id order by campaign_id
      on conflict (campaign_id) do update set sent = s.sent + excluded.sent, opened = s.opened + excluded.opened,
        clicked = s.clicked + excluded.clicked, replied = s.replied + excluded.replied,
        bounced = s.bounced + excluded.bounced, failed = s.failed + excluded.failed
      returning s.campaign_id
    ), ${placedEvents}, ${addToReports('measured')}, logged as (
      insert into events (workspace_id, campaign_id, contact_id, enrolment_id, type, step_order, url, details, at, day, variant, account_id, domain)
      select workspace_id, campaign_id, contact_id, enrolment_id, type, step_order, url, details::jsonb, at, day, variant, account_id, domain
      from placed order by position returning id, workspace_id, type
    )
    ${subscribed}`;

/** In a statement of its own, so that the next one sees what was logged before the lock was had. */
async function lockEnrolments(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await tx.query(sql`select from enrolments e where e.id = any(${ids}::int[]) order by e.id for no key update`);
}

const idsOf = (rows: readonly { id: number }[]) => rows.map((row) => row.id);

/** Logs `enrolled` for new enrolments, any number in one statement. The caller counts them: see `countEnrolments`. */
export async function recordEnrolled(tx: Tx, enrolmentIds: readonly number[], at: Date): Promise<void> {
  if (enrolmentIds.length === 0) return;
  const toPublish = await tx.query<{ id: number }>(sql`
    with logged as (
      insert into events (workspace_id, campaign_id, contact_id, enrolment_id, type, step_order, at)
      select e.workspace_id, e.campaign_id, e.contact_id, e.id, 'enrolled', 1, ${at}::timestamptz
      from enrolments e where e.id = any(${enrolmentIds}::int[]) order by e.id returning id, workspace_id, type
    )
    ${subscribed}`);
  await publishEvents(tx, idsOf(toPublish));
  tx.afterCommit(async () => eventsTotal.inc({ type: 'enrolled' }, enrolmentIds.length));
}

/**
 * Moves the events of enrolments to another campaign, and what the reports count of them; call `recountMoved` for both afterwards, whose
 * locks the caller holds. Index: events_enrolment.
 */
export async function moveEvents(tx: Tx, enrolmentIds: readonly number[], campaignId: number): Promise<void> {
  await keepingReports(tx, enrolmentIds, () =>
    tx.query(sql`update events set campaign_id = ${campaignId} where enrolment_id = any(${enrolmentIds}::int[])`),
  );
}

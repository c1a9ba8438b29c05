import { channel } from 'node:diagnostics_channel';
import { announceRows } from '../db/stable-id.ts';
import { type PreparedStatement, prepared, type Sql, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { isDone, isStepEmail } from '../outbox/index.ts';
import { EMAIL_MARKS, type EmailMark, type NewEvent } from './event.ts';
import { publishEvents, subscribed } from './publish-events.ts';
import { isSameEmail } from './same-email.ts';

/** Publishes how many events of a type were logged. Daemons count them for their metrics; commands, which have no metrics, do not. */
const logged = channel('outreach:events');

/**
 * Logs events and publishes them to webhooks, in the transaction of the change itself. Each row of the log also says what it counts as
 * (see `countedColumns`), so that numbers are sums of the log; nothing else is written. Locks the enrolments, in the order of their ids.
 */
export async function recordEvents(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await announceRows(tx, 'events');
  await lockEnrolments(
    tx,
    events.map(({ enrolmentId }) => enrolmentId),
  );
  for (const round of roundsOf(events)) await publishEvents(tx, idsOf(await tx.query<{ id: number }>(insert(round))));
  tx.afterCommit(async () => {
    for (const { type } of events) logged.publish({ type, count: 1 });
  });
}

/** Logs marks of emails by their ids in the outbox, in the transaction of their cause. A mark that an email has already is not repeated. */
export async function markEmails(tx: Tx, marks: readonly { outboxId: number; mark: EmailMark; at: Date }[]): Promise<void> {
  if (marks.length === 0) return;
  const emails = await tx.query<Omit<NewEvent, 'type' | 'at'>>(sql`
    select o.id as "emailId", o.workspace_id as "workspaceId", o.campaign_id as "campaignId", o.contact_id as "contactId",
      o.enrolment_id as "enrolmentId", o.step_order as "stepOrder"
    from outbox o where o.id = any(${marks.map(({ outboxId }) => outboxId)}::bigint[])`);
  const byId = new Map(emails.map((email) => [email.emailId, email]));
  const events = marks.flatMap(({ outboxId, mark, at }): NewEvent[] => {
    const email = byId.get(outboxId);
    return email === undefined ? [] : [{ ...email, type: mark, at }];
  });
  await recordEvents(tx, events);
}

/** Runs as a separate statement, so that the next one sees events that were logged before the lock was granted. */
async function lockEnrolments(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.query(
    prepared(
      'lock-enrolments',
      sql`select from enrolments e where e.id = any((select ${ids}::int[])::int[]) order by e.id for no key update`,
    ),
  );
}

/**
 * Splits events so that no round has two of one enrolment: what an event counts as depends on the events before it, and a statement only
 * sees those that earlier statements have logged.
 */
function roundsOf(events: readonly NewEvent[]): NewEvent[][] {
  const taken = new Map<number, number>();
  const byRound = Map.groupBy(events, ({ enrolmentId }) => {
    const round = taken.get(enrolmentId) ?? 0;
    taken.set(enrolmentId, round + 1);
    return round;
  });
  return [...byRound.values()];
}

const insert = (events: readonly NewEvent[]): PreparedStatement =>
  prepared(
    'record-events',
    sql`
  with located as materialized (${located(events)}), logged as (
    insert into events (workspace_id, campaign_id, contact_id, enrolment_id, type, step_order, url, details, at, in_feed,
      step_id, variant, account_id, domain, day, counts_as, is_first_of_email, is_first_of_contact, is_of_first_email)
    select l.workspace_id, l.campaign_id, l.contact_id, l.enrolment_id, l.type, l.step_order, l.url, l.details::jsonb, l.at, l.in_feed,
      l.step_id, l.variant, l.account_id, l.domain, ${countedColumns}
    from located l left join lateral (
      select p.day from events p where p.enrolment_id = l.enrolment_id and p.type = 'sent' and ${isSameEmail('p', 'l')} order by p.id limit 1
    ) sent on true
    where l.in_feed or not exists (
      select from events p where p.enrolment_id = l.enrolment_id and p.type = l.type and ${isSameEmail('p', 'l')})
    order by l.position returning id, workspace_id, type, in_feed
  )
  ${subscribed}`,
  );

/**
 * Selects the events with data of the email that each is about, by default the last one sent: its step, its group of the A/B test, the
 * account that sent it and the domain of its recipient. Before any email, step, group and account are those of the enrolment. The values
 * are arrays, so that the text does not vary with their number. Indexes: outbox_pkey, outbox_enrolment_id_step_id_key, steps_live_order.
 */
function located(events: readonly NewEvent[]): Sql {
  const column = <Value>(pick: (event: NewEvent) => Value) => events.map(pick);
  return sql`
    select g.*, not g.type = any(${EMAIL_MARKS}::text[]) as in_feed, c.timezone, coalesce(o.step_id, case when o.id is null then s.id end) as step_id,
      case when o.id is null then e.variant else o.variant end as variant, coalesce(o.account_id, e.account_id, c.account_id) as account_id,
      address_domain(coalesce(o.recipient, k.email)) as domain
    from unnest(
      (select ${column((event) => event.workspaceId)}::int[]), (select ${column((event) => event.campaignId)}::int[]),
      (select ${column((event) => event.contactId)}::int[]), (select ${column((event) => event.enrolmentId)}::int[]),
      (select ${column((event) => event.type)}::text[]), (select ${column((event) => event.stepOrder)}::int[]), (select ${column((event) => event.emailId ?? null)}::bigint[]),
      (select ${column((event) => event.url ?? null)}::text[]),
      (select ${column((event) => (event.details ? JSON.stringify(event.details) : null))}::text[]),
      (select ${column((event) => event.at.toISOString())}::timestamptz[])
    ) with ordinality as g (workspace_id, campaign_id, contact_id, enrolment_id, type, step_order, email_id, url, details, at, position)
    join campaigns c on c.id = g.campaign_id join enrolments e on e.id = g.enrolment_id join contacts k on k.id = g.contact_id
    left join lateral (
      select o.id, o.step_id, o.variant, o.account_id, o.recipient from outbox o where o.id = g.email_id
      union all (
        select o.id, o.step_id, o.variant, o.account_id, o.recipient from outbox o
        where g.email_id is null and o.enrolment_id = g.enrolment_id and ${isStepEmail('o')}
        order by ${isDone('o')} desc, o.id desc limit 1)
    ) o on true
    left join steps s on o.id is null and s.campaign_id = g.campaign_id and s.step_order = g.step_order and s.deleted_at is null`;
}

/**
 * Columns of the located event `l` that say what it counts as: `day`, `counts_as`, `is_first_of_email`, `is_first_of_contact` and
 * `is_of_first_email`. The day is the one on which its email was sent (`sent`), in the time zone of its campaign. A bounce counts as
 * `returned` after the server had accepted the email, and as `refused` otherwise. Index: events_enrolment.
 */
const countedColumns: Sql = sql`
  case when l.type = 'sent' then day_in_zone(l.at, l.timezone) else coalesce(sent.day, day_in_zone(l.at, l.timezone)) end,
  case when l.type <> 'bounced' then l.type when sent.day is not null then 'returned' else 'refused' end,
  not exists (select from events p where p.enrolment_id = l.enrolment_id and p.type = l.type and ${isSameEmail('p', 'l')}),
  not exists (select from events p where p.enrolment_id = l.enrolment_id and p.type = l.type),
  coalesce((
    select ${isSameEmail('p', 'l')} from events p where p.enrolment_id = l.enrolment_id and p.type = 'sent' order by p.id limit 1), false)`;

const idsOf = (rows: readonly { id: number }[]) => rows.map((row) => row.id);

/** Logs `enrolled` for new enrolments, any number in one statement. */
export async function recordEnrolled(tx: Tx, enrolmentIds: readonly number[], at: Date): Promise<void> {
  if (enrolmentIds.length === 0) return;
  await announceRows(tx, 'events');
  const toPublish = await tx.query<{ id: number }>(sql`
    with logged as (
      insert into events (workspace_id, campaign_id, contact_id, enrolment_id, type, step_order, at, in_feed, variant, account_id, domain, day,
        counts_as, is_first_of_email, is_first_of_contact, is_of_first_email)
      select e.workspace_id, e.campaign_id, e.contact_id, e.id, 'enrolled', 1, ${at}::timestamptz, true, e.variant, coalesce(e.account_id, c.account_id),
        address_domain(k.email), day_in_zone(${at}::timestamptz, c.timezone), 'enrolled', false, true, false
      from enrolments e join campaigns c on c.id = e.campaign_id join contacts k on k.id = e.contact_id
      where e.id = any(${enrolmentIds}::int[]) order by e.id returning id, workspace_id, type, in_feed
    )
    ${subscribed}`);
  await publishEvents(tx, idsOf(toPublish));
  tx.afterCommit(async () => logged.publish({ type: 'enrolled', count: enrolmentIds.length }));
}

import { type Queryable, type Sql, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { audienceOf, measured } from './measures.ts';
import { addToReports, keepingReports } from './report-counters.ts';

/** A fact about an email that is no event of the API: a machine fetched its image or a link, a program answered it. */
export type EmailMark = 'machine_opened' | 'machine_clicked' | 'auto_replied';

/**
 * Marks emails and counts the marks, each once for an email, in the transaction of their cause. Locks their enrolments, then the
 * statistics of their campaigns. Indexes: outbox_pkey, email_marks_outbox_id_mark_key, events_enrolment.
 */
export async function markEmails(tx: Tx, marks: readonly { outboxId: number; mark: EmailMark; at: Date }[]): Promise<void> {
  if (marks.length === 0) return;
  const ids = marks.map(({ outboxId }) => outboxId);
  await tx.query(sql`
    select from enrolments e where e.id in (select o.enrolment_id from outbox o where o.id = any(${ids}::bigint[])) order by e.id for no key update`);
  await tx.query(sql`
    with wanted as (
      select * from unnest(${ids}::bigint[], ${marks.map(({ mark }) => mark)}::text[],
        ${marks.map(({ at }) => at.toISOString())}::timestamptz[]) as w (outbox_id, mark, at)
    ), counted as materialized (
      select s.campaign_id from campaign_stats s where s.campaign_id in (
        select o.campaign_id from outbox o where o.id in (select outbox_id from wanted)) order by s.campaign_id for no key update
    ), marked as (
      insert into email_marks (outbox_id, mark, campaign_id, enrolment_id, step_order, day, variant, account_id, domain)
      select o.id, w.mark, o.campaign_id, o.enrolment_id, o.step_order, coalesce(${DAY_SENT}, day_in_zone(w.at, c.timezone)),
        coalesce(o.variant, ''), o.account_id, lower(split_part(o.recipient, '@', -1))
      from wanted w join outbox o on o.id = w.outbox_id join campaigns c on c.id = o.campaign_id
      where o.campaign_id in (select campaign_id from counted)
      on conflict (outbox_id, mark) do nothing returning *
    ), measured as materialized (
      select m.*, ${measured} from (
        select k.*, ${audienceOf(CONTACT)} as audience, k.mark as type, true as is_first_of_email, true as was_sent, false as is_of_first_email,
          row_number() over (partition by k.enrolment_id, k.mark order by k.id) = 1 and not exists (
            select from email_marks p where p.enrolment_id = k.enrolment_id and p.mark = k.mark) as is_first_of_contact
        from marked k) m
    ), ${addToReports('measured')}
    select 1`);
}

const CONTACT: Sql = sql`(select e.contact_id from enrolments e where e.id = k.enrolment_id)`;

/** The day on which email `o` was sent, as its event has it. */
const DAY_SENT: Sql = sql`(
  select coalesce(p.day, day_in_zone(p.at, c.timezone)) from events p
  where p.enrolment_id = o.enrolment_id and p.type = 'sent' and p.step_order = o.step_order order by p.id limit 1)`;

/** Takes a mark back that was set by mistake. */
export async function unmarkEmail(tx: Tx, { enrolmentId, outboxId, mark }: { enrolmentId: number; outboxId: number; mark: EmailMark }) {
  await keepingReports(tx, [enrolmentId], () => tx.query(sql`delete from email_marks where outbox_id = ${outboxId} and mark = ${mark}`));
}

/** Replaces the domain of contacts' addresses in what is counted of them. Indexes: enrolments_contact, events_enrolment. */
export async function forgetDomains(tx: Queryable, contactIds: readonly number[], domain: string): Promise<void> {
  const rows = await tx.query<{ id: number }>(
    sql`select e.id from enrolments e where e.contact_id = any(${contactIds}::int[]) order by e.id for no key update`,
  );
  const ids = rows.map(({ id }) => id);
  await keepingReports(tx, ids, async () => {
    await tx.query(sql`update events set domain = ${domain} where enrolment_id = any(${ids}::int[])`);
    await tx.query(sql`update email_marks set domain = ${domain} where enrolment_id = any(${ids}::int[])`);
  });
}

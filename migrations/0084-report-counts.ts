import { Migration } from '@mikro-orm/migrations';

/**
 * Counters of the reports, kept with the events. Events get the attributes that they are counted by, as they were when the email was
 * sent: the time zone and account of a campaign change, and so do addresses. What happens to emails and is no event gets a table.
 * Events of before keep null, and are counted by what enrolment, campaign and contact say now.
 */
export class ReportCounts0084 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      -- A zone that PostgreSQL does not know must not keep an event from being logged.
      create function day_in_zone(at timestamptz, zone text) returns date language plpgsql immutable as $$
      begin
        return (at at time zone zone)::date;
      exception when invalid_parameter_value then
        return (at at time zone 'UTC')::date;
      end $$;

      alter table events
        -- The day on which the email was sent, in the zone of its campaign; that of the event for an email that was not.
        add column day date,
        -- A or B; empty outside of a test.
        add column variant text,
        add column account_id integer,
        -- Of the recipient's address, in lower case.
        add column domain text;

      -- What came of an email and is no event: fetched by a machine, answered by a program. Each once for an email.
      create table email_marks (
        id bigint generated always as identity primary key,
        outbox_id bigint not null references outbox,
        mark text not null check (mark in ('machine_opened', 'machine_clicked', 'auto_replied')),
        campaign_id integer not null references campaigns,
        enrolment_id integer not null references enrolments,
        -- As in events.
        step_order integer not null,
        day date not null,
        variant text not null,
        account_id integer not null,
        domain text not null,
        unique (outbox_id, mark)
      );
      create index email_marks_enrolment on email_marks (enrolment_id);

      create table report_counts (
        campaign_id integer not null references campaigns,
        day date not null,
        step_order integer not null,
        variant text not null,
        account_id integer not null,
        sent integer not null default 0, returned integer not null default 0, contacts integer not null default 0, contacts_returned integer not null default 0,
        opened integer not null default 0, clicked integer not null default 0, replied integer not null default 0, auto_replied integer not null default 0,
        bounced integer not null default 0, refused integer not null default 0, failed integer not null default 0, unsubscribed integer not null default 0,
        emails_opened integer not null default 0, emails_clicked integer not null default 0, machine_opened integer not null default 0, machine_clicked integer not null default 0,
        primary key (campaign_id, day, step_order, variant, account_id)
      ) with (fillfactor = 50);

      create table domain_counts (
        campaign_id integer not null references campaigns,
        -- -infinity for the sum of all days.
        day date not null,
        domain text not null,
        sent integer not null default 0, returned integer not null default 0, contacts integer not null default 0, contacts_returned integer not null default 0,
        opened integer not null default 0, clicked integer not null default 0, replied integer not null default 0, auto_replied integer not null default 0,
        bounced integer not null default 0, refused integer not null default 0, failed integer not null default 0, unsubscribed integer not null default 0,
        emails_opened integer not null default 0, emails_clicked integer not null default 0, machine_opened integer not null default 0, machine_clicked integer not null default 0,
        primary key (campaign_id, day, domain)
      ) with (fillfactor = 80);
    `);
    this.addSql(FILL);
  }

  override down(): void {
    this.addSql(/* sql */ `
      drop table domain_counts, report_counts, email_marks;
      alter table events drop column day, drop column variant, drop column account_id, drop column domain;
      drop function day_in_zone;
    `);
  }
}

/** Marks and counts what has happened so far. */
const FILL = /* sql */ `
  insert into email_marks (outbox_id, mark, campaign_id, enrolment_id, step_order, day, variant, account_id, domain)
  select o.id, m.mark, o.campaign_id, o.enrolment_id, o.step_order, day_in_zone(coalesce(o.accepted_at, m.at), c.timezone),
    coalesce(o.variant, ''), o.account_id, lower(split_part(o.recipient, '@', -1))
  from (
    select outbox_id, 'machine_' || kind as mark, min(at) as at from tracking_hits where machine is not null group by 1, 2
    union all
    select outbox_id, 'auto_replied', min(created_at) from replies where kind = 'auto_reply' group by 1
  ) m join outbox o on o.id = m.outbox_id join campaigns c on c.id = o.campaign_id order by m.at, 1, 2;

  with seen as (
    select v.id, v.campaign_id, v.type, v.step_order, v.variant, v.account_id, v.domain,
      coalesce(min(v.day) filter (where v.type = 'sent') over (partition by v.enrolment_id, v.step_order), v.day) as day,
      row_number() over (partition by v.enrolment_id, v.type order by v.id) as of_contact,
      row_number() over (partition by v.enrolment_id, v.type, v.step_order order by v.id) as of_email,
      min(v.id) filter (where v.type = 'sent') over (partition by v.enrolment_id) as first_sent_id,
      min(v.id) filter (where v.type = 'sent') over (partition by v.enrolment_id, v.step_order) as sent_id
    from (
      select l.*, day_in_zone(l.at, c.timezone) as day, coalesce(e.variant, '') as variant, coalesce(e.account_id, c.account_id) as account_id,
        lower(split_part(k.email, '@', -1)) as domain
      from (select id, campaign_id, contact_id, enrolment_id, type, step_order, at from events where type <> 'enrolled') l
      join enrolments e on e.id = l.enrolment_id join campaigns c on c.id = l.campaign_id join contacts k on k.id = l.contact_id
    ) v
    union all
    select m.id, m.campaign_id, m.mark, m.step_order, m.variant, m.account_id, m.domain, m.day,
      row_number() over (partition by m.enrolment_id, m.mark order by m.id), 1, null, null
    from email_marks m
  ), filled as materialized (
    select campaign_id, day, step_order, variant, account_id, domain,
      (type = 'sent')::int as sent, (type = 'bounced' and of_email = 1 and coalesce(sent_id < id, false))::int as returned,
      (type = 'sent' and of_contact = 1)::int as contacts,
      (type = 'bounced' and of_email = 1 and coalesce(sent_id < id, false) and sent_id = first_sent_id)::int as contacts_returned,
      (type = 'opened' and of_contact = 1)::int as opened, (type = 'clicked' and of_contact = 1)::int as clicked,
      (type = 'replied' and of_contact = 1)::int as replied, (type = 'auto_replied' and of_contact = 1)::int as auto_replied,
      (type = 'bounced' and of_contact = 1)::int as bounced,
      (type = 'bounced' and of_contact = 1 and not coalesce(sent_id < id, false))::int as refused,
      (type = 'failed' and of_contact = 1)::int as failed, (type = 'unsubscribed' and of_contact = 1)::int as unsubscribed,
      (type = 'opened' and of_email = 1)::int as emails_opened, (type = 'clicked' and of_email = 1)::int as emails_clicked,
      (type = 'machine_opened')::int as machine_opened, (type = 'machine_clicked')::int as machine_clicked
    from seen
  ), cells as (
    insert into report_counts (campaign_id, day, step_order, variant, account_id,
      sent, returned, contacts, contacts_returned, opened, clicked, replied, auto_replied, bounced, refused, failed, unsubscribed,
      emails_opened, emails_clicked, machine_opened, machine_clicked)
    select campaign_id, day, step_order, variant, account_id,
      sum(sent), sum(returned), sum(contacts), sum(contacts_returned), sum(opened), sum(clicked), sum(replied), sum(auto_replied),
      sum(bounced), sum(refused), sum(failed), sum(unsubscribed), sum(emails_opened), sum(emails_clicked), sum(machine_opened),
      sum(machine_clicked)
    from filled group by 1, 2, 3, 4, 5
  )
  insert into domain_counts (campaign_id, day, domain,
    sent, returned, contacts, contacts_returned, opened, clicked, replied, auto_replied, bounced, refused, failed, unsubscribed,
    emails_opened, emails_clicked, machine_opened, machine_clicked)
  select campaign_id, coalesce(day, '-infinity'), domain,
    sum(sent), sum(returned), sum(contacts), sum(contacts_returned), sum(opened), sum(clicked), sum(replied), sum(auto_replied),
    sum(bounced), sum(refused), sum(failed), sum(unsubscribed), sum(emails_opened), sum(emails_clicked), sum(machine_opened),
    sum(machine_clicked)
  from filled group by grouping sets ((campaign_id, day, domain), (campaign_id, domain));
`;

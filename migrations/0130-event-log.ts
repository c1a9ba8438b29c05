import { Migration } from '@mikro-orm/migrations';

/** The log of events says what each counts as; every number is its fold up to a mark, plus the tail after it. */
export class EventLog0130 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      drop trigger contacts_audience_moved on contacts;
      drop trigger contacts_counts_moved on contacts;
      drop trigger contacts_day_counts_moved on contacts;
      drop trigger enrolments_counted_in on enrolments;
      drop trigger enrolments_counted_out on enrolments;
      drop trigger events_counted_in on events;
      drop trigger events_counted_in_by_day on events;
      drop trigger events_counted_out on events;
      drop trigger events_counted_out_by_day on events;
      drop trigger events_announced on events;
      drop function move_private_counts;
      drop function move_contact_counts;
      drop function move_contact_day_counts;
      drop function count_enrolments;
      drop function count_events;
      drop function count_events_by_day;
      drop function announce_events;
      drop table campaign_stats, campaign_counts, event_day_counts, report_counts, private_counts, domain_counts, domain_totals, domain_quarters,
        provider_totals, email_marks;
      alter table mail_domains drop column is_counted;
      alter table enrolments drop column opened_at, drop column clicked_at, drop column replied_at, drop column bounced_at,
        drop column failed_at, drop column unsubscribed_at;
      drop index events_feed;
      drop index events_campaign;
      drop index events_order;
      drop index events_contact;

      alter table events drop constraint events_type_check;
      alter table events add constraint events_type_check check (type in ('sent', 'opened', 'clicked', 'replied', 'bounced', 'failed', 'enrolled',
        'unsubscribed', 'machine_opened', 'machine_clicked', 'auto_replied'));
      alter table events add column in_feed boolean not null, add column step_id integer, add column counts_as text not null,
        add column is_first_of_email boolean not null, add column is_first_of_contact boolean not null, add column is_of_first_email boolean not null,
        alter column day set not null, alter column account_id set not null, alter column domain set not null;
      create index events_feed on events (workspace_id, at desc, id desc) include (campaign_id, contact_id) where in_feed;
      create index events_campaign on events (campaign_id, at desc, id desc) include (workspace_id, contact_id) where in_feed;
      create index events_contact on events (contact_id, at desc, id desc) include (campaign_id, type, in_feed);
      create index events_order on events (workspace_id, id) include (campaign_id, contact_id) where in_feed;

      create function announce_rows() returns trigger language plpgsql as $$
      declare announced text := 'outreach.announced_' || tg_table_name;
      begin
        -- Once a transaction: its first lock has the lowest id.
        if coalesce(current_setting(announced, true), '') = '' then
          perform pg_advisory_xact_lock_shared(tg_argv[0]::int, (
            coalesce(pg_sequence_last_value(pg_get_serial_sequence(tg_table_name, 'id')::regclass), 0) % 2147483648)::int);
          perform set_config(announced, 'true', true);
        end if;
        return null;
      end $$;
      create trigger events_announced before insert on events for each statement execute function announce_rows(1701);
      create trigger replies_announced before insert on replies for each statement execute function announce_rows(1702);

      create table fold_marks (event_id bigint not null);
      insert into fold_marks (event_id) values (0);
      create function fold_mark() returns bigint stable language sql as 'select event_id from fold_marks';
      create table refolds (campaign_id integer primary key references campaigns (id));
      create table event_totals (
        campaign_id integer not null references campaigns (id),
        counts_as text not null,
        day date not null,
        step_id integer,
        variant text,
        account_id integer not null,
        events integer not null,
        emails integer not null,
        contacts integer not null,
        first_emails integer not null
      );
      create unique index event_totals_cell on event_totals (campaign_id, counts_as, day, account_id, coalesce(variant, ''), coalesce(step_id, 0));
      create table domain_totals (
        campaign_id integer not null references campaigns (id),
        counts_as text not null,
        domain text not null,
        events integer not null,
        emails integer not null,
        contacts integer not null,
        first_emails integer not null,
        primary key (campaign_id, counts_as, domain)
      );
    `);
  }

  override down(): void {
    throw new Error('not supported');
  }
}

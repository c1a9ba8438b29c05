/** The event log, and what else came of emails. */
export const events = {
  up: /* sql */ `
    -- Of the keys that the enrolment implies there are no constraints: see docs/decisions/one-foreign-key-for-an-email.md.
    create table events (
      id bigint generated always as identity primary key,
      workspace_id integer not null,
      campaign_id integer not null,
      contact_id integer not null,
      enrolment_id integer not null references enrolments,
      type text not null check (type in ('sent', 'opened', 'clicked', 'replied', 'bounced', 'failed', 'enrolled', 'unsubscribed')),
      step_order integer not null,
      url text,
      details jsonb,
      at timestamptz not null,
      -- What it counts as, kept as it was when the email was sent: the zone and account of a campaign change, and so do addresses.
      -- The day on which the email was sent, in the zone of its campaign; for an email that was not sent, the day of the event.
      day date,
      -- A or B; empty outside of a test.
      variant text,
      account_id integer,
      -- Of the recipient's address, in lower case.
      domain text
    );
    -- Pages of the log. They include what visibility depends on, so that finding a page is an index-only scan.
    create index events_feed on events (workspace_id, at desc, id desc) include (campaign_id, contact_id);
    create index events_feed_type on events (workspace_id, type, at desc, id desc) include (campaign_id, contact_id);
    create index events_campaign on events (campaign_id, at desc, id desc) include (workspace_id, contact_id);
    create index events_campaign_type on events (campaign_id, type, at desc, id desc) include (workspace_id, contact_id);
    create index events_contact on events (contact_id, at desc, id desc);
    create index events_enrolment on events (enrolment_id, type);
    -- For readers that follow the log in the order of its ids.
    create index events_order on events (workspace_id, id) include (campaign_id, contact_id);

    -- Tells readers which events have settled. Ids follow the order of the inserts, but a transaction may commit after a later one, and
    -- a reader who asks for events after the last id that they know would miss its events. So a transaction holds a shared advisory
    -- lock from before its first event until it ends. The lock names the last id given out until then: all events up to the lowest such
    -- id are visible. Taking the lock never waits. See src/events/settled.ts.
    create function announce_events() returns trigger language plpgsql as $$
    begin
      -- Once in a transaction: its first lock has the lowest id.
      if coalesce(current_setting('outreach.announced', true), '') = '' then
        perform pg_advisory_xact_lock_shared(1701, (
          select ((last_value - (not is_called)::int) % 2147483648)::int from events_id_seq));
        perform set_config('outreach.announced', 'true', true);
      end if;
      return null;
    end $$;
    create trigger events_announced before insert on events for each statement execute function announce_events();

    -- A zone that PostgreSQL does not know must not keep an event from being logged.
    create function day_in_zone(at timestamptz, zone text) returns date language plpgsql immutable as $$
    begin
      return (at at time zone zone)::date;
    exception when invalid_parameter_value then
      return (at at time zone 'UTC')::date;
    end $$;

    -- What came of an email and is no event: it was fetched by a machine, or answered by a program. Each once for an email.
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
  `,
  down: /* sql */ `
    drop table email_marks, events;
    drop function day_in_zone, announce_events;
  `,
};

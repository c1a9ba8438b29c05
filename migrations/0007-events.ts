/** The event log, and its totals. */
export const events = {
  up: /* sql */ `
    -- Of the keys that the enrolment implies there are no constraints: see docs/decisions/one-foreign-key-for-an-email.md.
    create table events (
      id bigint generated always as identity primary key,
      workspace_id integer not null,
      campaign_id integer not null,
      contact_id integer not null,
      enrolment_id integer not null references enrolments,
      type text not null check (type in ('sent', 'opened', 'clicked', 'replied', 'bounced', 'failed', 'enrolled', 'unsubscribed',
        'machine_opened', 'machine_clicked', 'auto_replied')),
      -- False for what only reports count: a machine fetched the email, a program answered it.
      in_feed boolean not null,
      step_order integer not null,
      url text,
      details jsonb,
      at timestamptz not null,
      -- What it counts as, kept as it was: the zone and account of a campaign change, and so do addresses.
      -- The type, but a bounce is returned or refused: after the server had accepted the email, or instead.
      counts_as text not null,
      -- The day on which the email was sent, in the zone of its campaign; for an email that was not sent, the day of the event.
      day date not null,
      -- Null for what no step stands for, such as being enrolled.
      step_id integer,
      -- A or B; null outside of a test.
      variant text,
      account_id integer not null,
      -- Of the recipient's address, in lower case.
      domain text not null,
      -- The first event of its type for its email, and for its contact in the campaign; its email is the first to that contact.
      is_first_of_email boolean not null,
      is_first_of_contact boolean not null,
      is_of_first_email boolean not null
    );
    -- Pages of the feed. They include what visibility depends on, so that finding a page is an index-only scan.
    create index events_feed on events (workspace_id, at desc, id desc) include (campaign_id, contact_id) where in_feed;
    create index events_feed_type on events (workspace_id, type, at desc, id desc) include (campaign_id, contact_id);
    create index events_campaign on events (campaign_id, at desc, id desc) include (workspace_id, contact_id) where in_feed;
    create index events_campaign_type on events (campaign_id, type, at desc, id desc) include (workspace_id, contact_id);
    -- Also counts what is hidden with a contact, by an index-only scan.
    create index events_contact on events (contact_id, at desc, id desc) include (campaign_id, type, in_feed);
    create index events_enrolment on events (enrolment_id, type);
    -- For readers that follow the log in the order of its ids.
    create index events_order on events (workspace_id, id) include (campaign_id, contact_id) where in_feed;

    -- A zone that PostgreSQL does not know must not keep an event from being logged.
    create function day_in_zone(at timestamptz, zone text) returns date language plpgsql immutable as $$
    begin
      return (at at time zone zone)::date;
    exception when invalid_parameter_value then
      return (at at time zone 'UTC')::date;
    end $$;

    -- The one row: up to which event the log is folded into the totals.
    create table fold_marks (event_id bigint not null);
    insert into fold_marks (event_id) values (0);
    -- Stable, so that the planner asks for the value and knows how short the rest of the log is.
    create function fold_mark() returns bigint stable language sql as 'select event_id from fold_marks';
    -- Campaigns whose log was corrected. They are read from the log until they are folded again.
    create table refolds (campaign_id integer primary key references campaigns);

    -- Sums of the log up to the mark: all events, each email once, each contact once, and each contact's first email.
    create table event_totals (
      campaign_id integer not null references campaigns,
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
    create unique index event_totals_key on event_totals (campaign_id, counts_as, day, account_id, coalesce(variant, ''), coalesce(step_id, 0));
    create table domain_totals (
      campaign_id integer not null references campaigns,
      counts_as text not null,
      domain text not null,
      events integer not null,
      emails integer not null,
      contacts integer not null,
      first_emails integer not null,
      primary key (campaign_id, counts_as, domain)
    );

    -- Links to the report on a campaign, for people without a key.
    create table report_shares (
      id integer generated always as identity primary key,
      workspace_id integer not null references workspaces,
      campaign_id integer not null references campaigns,
      -- SHA-256 of the token of the link.
      token_hash bytea not null unique,
      -- The page has the names of those who answered, and the domains of the recipients.
      shows_names boolean not null default false,
      -- Who made the report, as the page says.
      sender text,
      created_by integer references users,
      created_at timestamptz not null,
      expires_at timestamptz,
      revoked_at timestamptz
    );
    create index report_shares_workspace on report_shares (workspace_id);
  `,
  down: /* sql */ `
    drop table report_shares, event_totals, domain_totals, refolds, events;
    drop function fold_mark;
    drop table fold_marks;
    drop function day_in_zone;
  `,
};

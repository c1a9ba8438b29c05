/** Counters of contacts, events, replies and reports, kept by triggers. */
export const counts = {
  up: /* sql */ `
    CREATE FUNCTION contact_audience(deleted_at timestamp with time zone, is_shared_to_all boolean, created_by integer) RETURNS integer LANGUAGE sql IMMUTABLE RETURN CASE WHEN (deleted_at IS NOT
      NULL) THEN NULL::integer WHEN is_shared_to_all THEN 0 ELSE COALESCE(created_by, '-1'::integer) END;
    CREATE FUNCTION contact_bit(contact_id integer) RETURNS bit LANGUAGE sql IMMUTABLE RETURN set_bit('0'::bit(1024), (contact_id % 1024), 1);
    CREATE FUNCTION month_of(timestamp with time zone) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN (date_trunc('month'::text, ($1 AT TIME ZONE 'UTC'::text)))::date;
    create table active_blocks ( campaign_id integer NOT NULL references campaigns, block integer NOT NULL, contacts bit(1024) NOT NULL, CONSTRAINT active_blocks_pkey PRIMARY KEY (campaign_id,
      block) ) WITH (fillfactor='50');
    create table active_changes ( id bigint generated always as identity, campaign_id integer NOT NULL, block integer NOT NULL, contacts bit(1024) NOT NULL, CONSTRAINT active_changes_pkey PRIMARY
      KEY (campaign_id, id) ) WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='10000');
    create table campaign_counts ( campaign_id integer NOT NULL references campaigns, what text NOT NULL, audience integer NOT NULL, count bigint NOT NULL, CONSTRAINT campaign_counts_pkey PRIMARY
      KEY (campaign_id, what, audience) );
    create table campaign_stats ( campaign_id integer primary key references campaigns, contacts integer DEFAULT 0 NOT NULL, sent integer DEFAULT 0 NOT NULL, opened integer DEFAULT 0 NOT NULL,
      clicked integer DEFAULT 0 NOT NULL, replied integer DEFAULT 0 NOT NULL, bounced integer DEFAULT 0 NOT NULL, failed integer DEFAULT 0 NOT NULL, variant_a integer DEFAULT 0 NOT NULL,
      variant_b integer DEFAULT 0 NOT NULL );
    create table contact_blocks ( workspace_id integer NOT NULL references workspaces, is_archived boolean NOT NULL, audience integer NOT NULL, block integer NOT NULL, contacts bit(1024) NOT
      NULL, created_from timestamp with time zone NOT NULL, created_to timestamp with time zone NOT NULL, CONSTRAINT contact_blocks_pkey PRIMARY KEY (workspace_id, is_archived, audience, block) )
      WITH (fillfactor='50');
    create table contact_counts ( workspace_id integer NOT NULL references workspaces, is_archived boolean NOT NULL, audience integer NOT NULL, total integer NOT NULL, CONSTRAINT
      contact_counts_pkey PRIMARY KEY (workspace_id, is_archived, audience) );
    create table domain_counts ( campaign_id integer NOT NULL, day date NOT NULL, domain text NOT NULL, sent integer DEFAULT 0 NOT NULL, returned integer DEFAULT 0 NOT NULL, contacts integer
      DEFAULT 0 NOT NULL, contacts_returned integer DEFAULT 0 NOT NULL, opened integer DEFAULT 0 NOT NULL, clicked integer DEFAULT 0 NOT NULL, replied integer DEFAULT 0 NOT NULL, auto_replied
      integer DEFAULT 0 NOT NULL, bounced integer DEFAULT 0 NOT NULL, refused integer DEFAULT 0 NOT NULL, failed integer DEFAULT 0 NOT NULL, unsubscribed integer DEFAULT 0 NOT NULL, emails_opened
      integer DEFAULT 0 NOT NULL, emails_clicked integer DEFAULT 0 NOT NULL, machine_opened integer DEFAULT 0 NOT NULL, machine_clicked integer DEFAULT 0 NOT NULL, is_private boolean DEFAULT
      false NOT NULL, audience integer DEFAULT 0 NOT NULL, CONSTRAINT domain_counts_pkey PRIMARY KEY (campaign_id, is_private, day, domain, audience) ) WITH (fillfactor='80',
      autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='10000');
    create table domain_quarters ( campaign_id integer NOT NULL, is_private boolean DEFAULT false NOT NULL, quarter date NOT NULL, domain text NOT NULL, audience integer DEFAULT 0 NOT NULL, sent
      integer NOT NULL, from_1 integer NOT NULL, from_2 integer NOT NULL, from_3 integer NOT NULL, from_4 integer NOT NULL, from_5 integer NOT NULL, from_6 integer NOT NULL, from_7 integer NOT
      NULL, from_8 integer NOT NULL, from_9 integer NOT NULL, from_10 integer NOT NULL, from_11 integer NOT NULL, returned integer NOT NULL, contacts integer NOT NULL, contacts_returned integer
      NOT NULL, opened integer NOT NULL, clicked integer NOT NULL, replied integer NOT NULL, auto_replied integer NOT NULL, bounced integer NOT NULL, refused integer NOT NULL, failed integer NOT
      NULL, unsubscribed integer NOT NULL, emails_opened integer NOT NULL, emails_clicked integer NOT NULL, machine_opened integer NOT NULL, machine_clicked integer NOT NULL, CONSTRAINT
      domain_quarters_pkey PRIMARY KEY (campaign_id, is_private, quarter, domain, audience) INCLUDE (sent, from_1, from_2, from_3, from_4, from_5, from_6, from_7, from_8, from_9, from_10,
      from_11) ) WITH (fillfactor='80');
    create table domain_totals ( campaign_id integer NOT NULL, day date NOT NULL, domain text NOT NULL, sent integer DEFAULT 0 NOT NULL, returned integer DEFAULT 0 NOT NULL, contacts integer
      DEFAULT 0 NOT NULL, contacts_returned integer DEFAULT 0 NOT NULL, opened integer DEFAULT 0 NOT NULL, clicked integer DEFAULT 0 NOT NULL, replied integer DEFAULT 0 NOT NULL, auto_replied
      integer DEFAULT 0 NOT NULL, bounced integer DEFAULT 0 NOT NULL, refused integer DEFAULT 0 NOT NULL, failed integer DEFAULT 0 NOT NULL, unsubscribed integer DEFAULT 0 NOT NULL, emails_opened
      integer DEFAULT 0 NOT NULL, emails_clicked integer DEFAULT 0 NOT NULL, machine_opened integer DEFAULT 0 NOT NULL, machine_clicked integer DEFAULT 0 NOT NULL, provider text DEFAULT
      'unknown'::text NOT NULL, is_private boolean DEFAULT false NOT NULL, audience integer DEFAULT 0 NOT NULL, CONSTRAINT domain_totals_provider_check CHECK ((provider = ANY
      (ARRAY['google'::text, 'microsoft'::text, 'other'::text, 'unknown'::text]))), CONSTRAINT domain_totals_pkey PRIMARY KEY (campaign_id, is_private, day, domain, audience) INCLUDE (sent) )
      WITH (fillfactor='80');
    CREATE INDEX domain_totals_domain ON domain_totals USING btree (domain, campaign_id, is_private, day);
    CREATE INDEX domain_totals_largest ON domain_totals USING btree (campaign_id, sent DESC, domain COLLATE "C") WHERE ((day = '-infinity'::date) AND (NOT is_private));
    create table event_blocks ( campaign_id integer NOT NULL references campaigns, what text NOT NULL, block integer NOT NULL, contacts bit(1024) NOT NULL, CONSTRAINT event_blocks_pkey PRIMARY
      KEY (campaign_id, what, block) ) WITH (fillfactor='50');
    create table event_day_counts ( campaign_id integer NOT NULL references campaigns, day date NOT NULL, what text NOT NULL, audience integer NOT NULL, count bigint NOT NULL, CONSTRAINT
      event_day_counts_pkey PRIMARY KEY (campaign_id, day, what, audience) );
    create table list_counts ( list_id integer NOT NULL references lists, audience integer NOT NULL, total integer NOT NULL, CONSTRAINT list_counts_pkey PRIMARY KEY (list_id, audience) );
    create table private_counts ( campaign_id integer NOT NULL, day date NOT NULL, step_order integer NOT NULL, variant text NOT NULL, account_id integer NOT NULL, sent integer DEFAULT 0 NOT
      NULL, returned integer DEFAULT 0 NOT NULL, contacts integer DEFAULT 0 NOT NULL, contacts_returned integer DEFAULT 0 NOT NULL, opened integer DEFAULT 0 NOT NULL, clicked integer DEFAULT 0
      NOT NULL, replied integer DEFAULT 0 NOT NULL, auto_replied integer DEFAULT 0 NOT NULL, bounced integer DEFAULT 0 NOT NULL, refused integer DEFAULT 0 NOT NULL, failed integer DEFAULT 0 NOT
      NULL, unsubscribed integer DEFAULT 0 NOT NULL, emails_opened integer DEFAULT 0 NOT NULL, emails_clicked integer DEFAULT 0 NOT NULL, machine_opened integer DEFAULT 0 NOT NULL,
      machine_clicked integer DEFAULT 0 NOT NULL, audience integer NOT NULL, CONSTRAINT private_counts_pkey PRIMARY KEY (campaign_id, day, step_order, variant, account_id, audience) ) WITH
      (fillfactor='50');
    create table provider_totals ( campaign_id integer NOT NULL, day date NOT NULL, provider text NOT NULL, sent integer DEFAULT 0 NOT NULL, returned integer DEFAULT 0 NOT NULL, contacts integer
      DEFAULT 0 NOT NULL, contacts_returned integer DEFAULT 0 NOT NULL, opened integer DEFAULT 0 NOT NULL, clicked integer DEFAULT 0 NOT NULL, replied integer DEFAULT 0 NOT NULL, auto_replied
      integer DEFAULT 0 NOT NULL, bounced integer DEFAULT 0 NOT NULL, refused integer DEFAULT 0 NOT NULL, failed integer DEFAULT 0 NOT NULL, unsubscribed integer DEFAULT 0 NOT NULL, emails_opened
      integer DEFAULT 0 NOT NULL, emails_clicked integer DEFAULT 0 NOT NULL, machine_opened integer DEFAULT 0 NOT NULL, machine_clicked integer DEFAULT 0 NOT NULL, is_private boolean DEFAULT
      false NOT NULL, audience integer DEFAULT 0 NOT NULL, CONSTRAINT provider_totals_provider_check CHECK ((provider = ANY (ARRAY['google'::text, 'microsoft'::text, 'other'::text,
      'unknown'::text]))), CONSTRAINT provider_totals_pkey PRIMARY KEY (campaign_id, is_private, day, provider, audience) ) WITH (fillfactor='50');
    create table reply_counts ( campaign_id integer NOT NULL references campaigns, kind text NOT NULL, audience integer NOT NULL, is_read boolean NOT NULL, account_id integer NOT NULL references
      accounts, label text NOT NULL, assigned_to integer NOT NULL, count bigint NOT NULL, month date NOT NULL, CONSTRAINT reply_counts_pkey PRIMARY KEY (campaign_id, kind, audience, is_read,
      account_id, label, assigned_to, month) );
    create table report_counts ( campaign_id integer NOT NULL references campaigns, day date NOT NULL, step_order integer NOT NULL, variant text NOT NULL, account_id integer NOT NULL, sent
      integer DEFAULT 0 NOT NULL, returned integer DEFAULT 0 NOT NULL, contacts integer DEFAULT 0 NOT NULL, contacts_returned integer DEFAULT 0 NOT NULL, opened integer DEFAULT 0 NOT NULL,
      clicked integer DEFAULT 0 NOT NULL, replied integer DEFAULT 0 NOT NULL, auto_replied integer DEFAULT 0 NOT NULL, bounced integer DEFAULT 0 NOT NULL, refused integer DEFAULT 0 NOT NULL,
      failed integer DEFAULT 0 NOT NULL, unsubscribed integer DEFAULT 0 NOT NULL, emails_opened integer DEFAULT 0 NOT NULL, emails_clicked integer DEFAULT 0 NOT NULL, machine_opened integer
      DEFAULT 0 NOT NULL, machine_clicked integer DEFAULT 0 NOT NULL, CONSTRAINT report_counts_pkey PRIMARY KEY (campaign_id, day, step_order, variant, account_id) ) WITH (fillfactor='50');
    alter table mail_domains add column is_counted boolean not null default true;
    create index mail_domains_uncounted on mail_domains (domain) where not is_counted;
    create index contacts_deleted_private on contacts (workspace_id, id) where deleted_at is not null and not is_shared_to_all;
    CREATE FUNCTION count_contacts() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan TO 'off' AS $$ begin if tg_op = 'INSERT' then insert into contact_counts as c (workspace_id, is_archived,
      audience, total) select workspace_id, is_archived, contact_audience(deleted_at, is_shared_to_all, created_by), count(*) from new_rows where deleted_at is null group by 1, 2, 3 order by 1,
      2, 3 on conflict (workspace_id, is_archived, audience) do update set total = c.total + excluded.total; return null; end if; insert into contact_counts as c (workspace_id, is_archived,
      audience, total) select workspace_id, is_archived, audience, sum(n) from ( select workspace_id, is_archived, contact_audience(deleted_at, is_shared_to_all, created_by) as audience, 1 as n
      from new_rows where deleted_at is null union all select workspace_id, is_archived, contact_audience(deleted_at, is_shared_to_all, created_by), -1 from old_rows where deleted_at is null )
      changes group by 1, 2, 3 having sum(n) <> 0 order by 1, 2, 3 on conflict (workspace_id, is_archived, audience) do update set total = c.total + excluded.total; insert into list_counts as c
      (list_id, audience, total) select m.list_id, changed.audience, sum(changed.n) from ( select id, audience, sum(n) as n from ( select id, contact_audience(deleted_at, is_shared_to_all,
      created_by) as audience, 1 as n from new_rows where deleted_at is null union all select id, contact_audience(deleted_at, is_shared_to_all, created_by), -1 from old_rows where deleted_at is
      null ) lives group by 1, 2 having sum(n) <> 0 ) changed cross join lateral (select list_id from list_members where contact_id = changed.id offset 0) m group by 1, 2 having sum(changed.n) <>
      0 order by 1, 2 on conflict (list_id, audience) do update set total = c.total + excluded.total; return null; end $$;
    CREATE FUNCTION count_enrolments() RETURNS trigger LANGUAGE plpgsql AS $$ begin perform from campaign_stats s where s.campaign_id in (select r.campaign_id from changed r) order by
      s.campaign_id for no key update; insert into campaign_counts as c (campaign_id, what, audience, count) select r.campaign_id, 'enrolment', contact_audience(k.deleted_at, k.is_shared_to_all,
      k.created_by), case tg_op when 'INSERT' then count(*) else -count(*) end from changed r join contacts k on k.id = r.contact_id and k.deleted_at is null group by 1, 3 order by 1, 3 on
      conflict (campaign_id, what, audience) do update set count = c.count + excluded.count; return null; end $$;
    CREATE FUNCTION count_events() RETURNS trigger LANGUAGE plpgsql AS $$ begin perform from campaign_stats s where s.campaign_id in (select r.campaign_id from changed r) order by s.campaign_id
      for no key update; insert into campaign_counts as c (campaign_id, what, audience, count) select r.campaign_id, r.type, contact_audience(k.deleted_at, k.is_shared_to_all, k.created_by), case
      tg_op when 'INSERT' then count(*) else -count(*) end from changed r join contacts k on k.id = r.contact_id and k.deleted_at is null group by 1, 2, 3 order by 1, 2, 3 on conflict
      (campaign_id, what, audience) do update set count = c.count + excluded.count; return null; end $$;
    CREATE FUNCTION count_events_by_day() RETURNS trigger LANGUAGE plpgsql AS $$ begin insert into event_day_counts as c (campaign_id, day, what, audience, count) select r.campaign_id, (r.at at
      time zone 'UTC')::date, r.type, contact_audience(k.deleted_at, k.is_shared_to_all, k.created_by), case tg_op when 'INSERT' then count(*) else -count(*) end from changed r join contacts k on
      k.id = r.contact_id and k.deleted_at is null group by 1, 2, 3, 4 order by 1, 2, 3, 4 on conflict (campaign_id, day, what, audience) do update set count = c.count + excluded.count; return
      null; end $$;
    CREATE FUNCTION count_list_members() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan TO 'off' AS $$ begin insert into list_counts as c (list_id, audience, total) select list_id, audience,
      case tg_op when 'INSERT' then count(*) else -count(*) end from ( select list_id, ( select contact_audience(t.deleted_at, t.is_shared_to_all, t.created_by) from contacts t where t.id =
      m.contact_id for share ) as audience from (select list_id, contact_id from changed order by contact_id) m offset 0 ) seen where audience is not null group by 1, 2 order by 1, 2 on conflict
      (list_id, audience) do update set total = c.total + excluded.total; return null; end $$;
    CREATE FUNCTION count_replies() RETURNS trigger LANGUAGE plpgsql AS $$ begin perform from campaign_stats s where s.campaign_id in (old.campaign_id, new.campaign_id) order by s.campaign_id for
      no key update; if tg_op <> 'INSERT' then perform count_reply(old, -1); end if; if tg_op <> 'DELETE' then perform count_reply(new, 1); end if; return null; end $$;
    CREATE FUNCTION count_reply(reply replies, sign integer) RETURNS void LANGUAGE plpgsql AS $$ begin insert into reply_counts as n (campaign_id, kind, audience, is_read, account_id, label,
      assigned_to, month, count) select r.campaign_id, r.kind, contact_audience(k.deleted_at, k.is_shared_to_all, k.created_by), r.is_read, r.account_id, coalesce(r.label, ''),
      coalesce(r.assigned_to, 0), month_of(r.received_at), sign from (select (reply).*) r join contacts k on k.id = r.contact_id and k.deleted_at is null on conflict (campaign_id, kind, audience,
      is_read, account_id, label, assigned_to, month) do update set count = n.count + excluded.count; end $$;
    CREATE FUNCTION flip_active() RETURNS trigger LANGUAGE plpgsql AS $$ begin insert into active_changes (campaign_id, block, contacts) select r.campaign_id, r.contact_id / 1024,
      bit_or(contact_bit(r.contact_id)) from changed r where r.status = 'active' group by 1, 2; return null; end $$;
    CREATE FUNCTION move_active() RETURNS trigger LANGUAGE plpgsql AS $$ begin insert into active_changes (campaign_id, block, contacts) select r.campaign_id, r.contact_id / 1024,
      contact_bit(r.contact_id) from (values (old.campaign_id, old.contact_id, old.status), (new.campaign_id, new.contact_id, new.status)) r (campaign_id, contact_id, status) where r.status =
      'active'; return null; end $$;
    CREATE FUNCTION move_contact_counts() RETURNS trigger LANGUAGE plpgsql AS $$ begin perform from campaign_stats s where s.campaign_id in (select e.campaign_id from enrolments e where
      e.contact_id = new.id) order by s.campaign_id for no key update; insert into campaign_counts as c (campaign_id, what, audience, count) select t.campaign_id, t.what, side.audience,
      sum(t.number * side.sign) from ( select campaign_id, type as what, count(*) as number from events where contact_id = new.id group by 1, 2 union all select campaign_id, 'enrolment', count(*)
      from enrolments where contact_id = new.id group by 1 ) t cross join (values (contact_audience(old.deleted_at, old.is_shared_to_all, old.created_by), -1), (contact_audience(new.deleted_at,
      new.is_shared_to_all, new.created_by), 1)) side (audience, sign) where side.audience is not null group by 1, 2, 3 order by 1, 2, 3 on conflict (campaign_id, what, audience) do update set
      count = c.count + excluded.count; return null; end $$;
    CREATE FUNCTION move_contact_day_counts() RETURNS trigger LANGUAGE plpgsql AS $$ begin insert into event_day_counts as c (campaign_id, day, what, audience, count) select e.campaign_id, (e.at
      at time zone 'UTC')::date, e.type, side.audience, sum(side.sign) from events e cross join (values (contact_audience(old.deleted_at, old.is_shared_to_all, old.created_by), -1),
      (contact_audience(new.deleted_at, new.is_shared_to_all, new.created_by), 1)) side (audience, sign) where e.contact_id = new.id and side.audience is not null group by 1, 2, 3, 4 order by 1,
      2, 3, 4 on conflict (campaign_id, day, what, audience) do update set count = c.count + excluded.count; return null; end $$;
    CREATE FUNCTION move_private_counts() RETURNS trigger LANGUAGE plpgsql AS $$ begin perform from enrolments e where e.contact_id = new.id order by e.id for no key update; perform from
      campaign_stats s where s.campaign_id in (select e.campaign_id from enrolments e where e.contact_id = new.id) order by s.campaign_id for no key update; with happened as materialized ( select
      campaign_id, day, step_order, variant, account_id, contact_id, domain, (type = 'sent')::int as sent, (type = 'bounced' and is_first_of_email and was_sent)::int as returned, (type = 'sent'
      and is_first_of_contact)::int as contacts, (type = 'bounced' and is_first_of_email and was_sent and is_of_first_email)::int as contacts_returned, (type = 'opened' and
      is_first_of_contact)::int as opened, (type = 'clicked' and is_first_of_contact)::int as clicked, (type = 'replied' and is_first_of_contact)::int as replied, (type = 'auto_replied' and
      is_first_of_contact)::int as auto_replied, (type = 'bounced' and is_first_of_contact)::int as bounced, (type = 'bounced' and is_first_of_contact and not was_sent)::int as refused, (type =
      'failed' and is_first_of_contact)::int as failed, (type = 'unsubscribed' and is_first_of_contact)::int as unsubscribed, (type = 'opened' and is_first_of_email)::int as emails_opened, (type
      = 'clicked' and is_first_of_email)::int as emails_clicked, (type = 'machine_opened')::int as machine_opened, (type = 'machine_clicked')::int as machine_clicked from ( select v.contact_id,
      v.domain, v.campaign_id, v.type, v.step_order, v.variant, v.account_id, coalesce(v.day, min(v.own_day) filter (where v.type = 'sent') over email, v.own_day) as day, v.id = min(v.id) over
      (partition by v.enrolment_id, v.type) as is_first_of_contact, v.id = min(v.id) over (partition by v.enrolment_id, v.type, v.step_order) as is_first_of_email, coalesce(min(v.id) filter
      (where v.type = 'sent') over email < v.id, false) as was_sent, min(v.id) filter (where v.type = 'sent') over email = min(v.id) filter (where v.type = 'sent') over contact as
      is_of_first_email from ( select l.id, l.contact_id, l.campaign_id, l.enrolment_id, l.type, l.step_order, l.day, coalesce(l.domain, (select lower(split_part(a.email, '@', -1)) from contacts
      a where a.id = l.contact_id)) as domain, coalesce(l.day, day_in_zone(l.at, c.timezone)) as own_day, coalesce(l.variant, e.variant, '') as variant, coalesce(l.account_id, e.account_id,
      c.account_id) as account_id from enrolments e join events l on l.enrolment_id = e.id and l.type <> 'enrolled' join campaigns c on c.id = l.campaign_id where e.contact_id = new.id ) v window
      email as (partition by v.enrolment_id, v.step_order), contact as (partition by v.enrolment_id) union all select e.contact_id, m.domain, m.campaign_id, m.mark, m.step_order, m.variant,
      m.account_id, m.day, m.id = min(m.id) over (partition by m.enrolment_id, m.mark), true, true, false from email_marks m join enrolments e on e.id = m.enrolment_id where e.contact_id = new.id
      ) happened), cells as ( insert into private_counts as r (campaign_id, day, step_order, variant, account_id, audience, sent, returned, contacts, contacts_returned, opened, clicked, replied,
      auto_replied, bounced, refused, failed, unsubscribed, emails_opened, emails_clicked, machine_opened, machine_clicked) select campaign_id, day, step_order, variant, account_id,
      side.audience, sum(sent * side.sign), sum(returned * side.sign), sum(contacts * side.sign), sum(contacts_returned * side.sign), sum(opened * side.sign), sum(clicked * side.sign),
      sum(replied * side.sign), sum(auto_replied * side.sign), sum(bounced * side.sign), sum(refused * side.sign), sum(failed * side.sign), sum(unsubscribed * side.sign), sum(emails_opened *
      side.sign), sum(emails_clicked * side.sign), sum(machine_opened * side.sign), sum(machine_clicked * side.sign) from happened h cross join (values (contact_audience(null,
      old.is_shared_to_all, old.created_by), -1), (contact_audience(null, new.is_shared_to_all, new.created_by), 1)) side (audience, sign) where side.audience <> 0 group by campaign_id, day,
      step_order, variant, account_id, side.audience order by campaign_id, day, step_order, variant, account_id, side.audience on conflict (campaign_id, day, step_order, variant, account_id,
      audience) do update set sent = r.sent + excluded.sent, returned = r.returned + excluded.returned, contacts = r.contacts + excluded.contacts, contacts_returned = r.contacts_returned +
      excluded.contacts_returned, opened = r.opened + excluded.opened, clicked = r.clicked + excluded.clicked, replied = r.replied + excluded.replied, auto_replied = r.auto_replied +
      excluded.auto_replied, bounced = r.bounced + excluded.bounced, refused = r.refused + excluded.refused, failed = r.failed + excluded.failed, unsubscribed = r.unsubscribed +
      excluded.unsubscribed, emails_opened = r.emails_opened + excluded.emails_opened, emails_clicked = r.emails_clicked + excluded.emails_clicked, machine_opened = r.machine_opened +
      excluded.machine_opened, machine_clicked = r.machine_clicked + excluded.machine_clicked) insert into domain_counts as r (campaign_id, is_private, day, domain, audience, sent, returned,
      contacts, contacts_returned, opened, clicked, replied, auto_replied, bounced, refused, failed, unsubscribed, emails_opened, emails_clicked, machine_opened, machine_clicked) select
      campaign_id, true, coalesce(day, '-infinity'), domain, audience, sum(sent), sum(returned), sum(contacts), sum(contacts_returned), sum(opened), sum(clicked), sum(replied), sum(auto_replied),
      sum(bounced), sum(refused), sum(failed), sum(unsubscribed), sum(emails_opened), sum(emails_clicked), sum(machine_opened), sum(machine_clicked) from (select h.campaign_id, h.day, h.domain,
      side.audience as audience, h.sent * -side.sign as sent, h.returned * -side.sign as returned, h.contacts * -side.sign as contacts, h.contacts_returned * -side.sign as contacts_returned,
      h.opened * -side.sign as opened, h.clicked * -side.sign as clicked, h.replied * -side.sign as replied, h.auto_replied * -side.sign as auto_replied, h.bounced * -side.sign as bounced,
      h.refused * -side.sign as refused, h.failed * -side.sign as failed, h.unsubscribed * -side.sign as unsubscribed, h.emails_opened * -side.sign as emails_opened, h.emails_clicked * -side.sign
      as emails_clicked, h.machine_opened * -side.sign as machine_opened, h.machine_clicked * -side.sign as machine_clicked from happened h cross join (values (contact_audience(null,
      old.is_shared_to_all, old.created_by), -1), (contact_audience(null, new.is_shared_to_all, new.created_by), 1)) side (audience, sign) where side.audience <> 0) g group by grouping sets
      ((campaign_id, day, domain, audience), (campaign_id, domain, audience)) order by 1, 2, 3, 4, 5 on conflict (campaign_id, is_private, day, domain, audience) do update set sent = r.sent +
      excluded.sent, returned = r.returned + excluded.returned, contacts = r.contacts + excluded.contacts, contacts_returned = r.contacts_returned + excluded.contacts_returned, opened = r.opened
      + excluded.opened, clicked = r.clicked + excluded.clicked, replied = r.replied + excluded.replied, auto_replied = r.auto_replied + excluded.auto_replied, bounced = r.bounced +
      excluded.bounced, refused = r.refused + excluded.refused, failed = r.failed + excluded.failed, unsubscribed = r.unsubscribed + excluded.unsubscribed, emails_opened = r.emails_opened +
      excluded.emails_opened, emails_clicked = r.emails_clicked + excluded.emails_clicked, machine_opened = r.machine_opened + excluded.machine_opened, machine_clicked = r.machine_clicked +
      excluded.machine_clicked; return null; end $$;
    CREATE FUNCTION move_reply_counts() RETURNS trigger LANGUAGE plpgsql AS $$ begin perform from campaign_stats s where s.campaign_id in (select r.campaign_id from replies r where r.contact_id =
      new.id) order by s.campaign_id for no key update; insert into reply_counts as n (campaign_id, kind, audience, is_read, account_id, label, assigned_to, month, count) select r.campaign_id,
      r.kind, side.audience, r.is_read, r.account_id, coalesce(r.label, ''), coalesce(r.assigned_to, 0), month_of(r.received_at), sum(side.sign) from replies r cross join (values
      (contact_audience(old.deleted_at, old.is_shared_to_all, old.created_by), -1), (contact_audience(new.deleted_at, new.is_shared_to_all, new.created_by), 1)) side (audience, sign) where
      r.contact_id = new.id and side.audience is not null group by 1, 2, 3, 4, 5, 6, 7, 8 order by 1, 2, 3, 4, 5, 6, 7, 8 on conflict (campaign_id, kind, audience, is_read, account_id, label,
      assigned_to, month) do update set count = n.count + excluded.count; return null; end $$;
    CREATE FUNCTION place_contacts() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan TO 'off' AS $$ begin if tg_op = 'INSERT' then insert into contact_blocks as b (workspace_id, is_archived,
      audience, block, contacts, created_from, created_to) select workspace_id, is_archived, contact_audience(deleted_at, is_shared_to_all, created_by), id / 1024, bit_or(contact_bit(id)),
      min(created_at), max(created_at) from new_rows where deleted_at is null group by 1, 2, 3, 4 order by 1, 2, 3, 4 on conflict (workspace_id, is_archived, audience, block) do update set
      contacts = b.contacts # excluded.contacts, created_from = least(b.created_from, excluded.created_from), created_to = greatest(b.created_to, excluded.created_to); return null; end if; insert
      into contact_blocks as b (workspace_id, is_archived, audience, block, contacts, created_from, created_to) select workspace_id, is_archived, audience, id / 1024,
      coalesce(bit_or(contact_bit(id)) filter (where n <> 0), B'0'::bit(1024)), min(created_from), max(created_to) from ( select workspace_id, is_archived, audience, id, sum(n) as n,
      min(created_at) as created_from, max(created_at) as created_to from ( select workspace_id, is_archived, contact_audience(deleted_at, is_shared_to_all, created_by) as audience, id, 1 as n,
      created_at from new_rows where deleted_at is null union all select workspace_id, is_archived, contact_audience(deleted_at, is_shared_to_all, created_by), id, -1, created_at from old_rows
      where deleted_at is null ) changes group by 1, 2, 3, 4 having sum(n) <> 0 or min(created_at) <> max(created_at) ) moved group by 1, 2, 3, 4 order by 1, 2, 3, 4 on conflict (workspace_id,
      is_archived, audience, block) do update set contacts = b.contacts # excluded.contacts, created_from = least(b.created_from, excluded.created_from), created_to = greatest(b.created_to,
      excluded.created_to); return null; end $$;
    CREATE FUNCTION place_events() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan TO 'off' AS $$ begin if tg_op = 'INSERT' then insert into event_blocks as b (campaign_id, what, block,
      contacts) select r.campaign_id, r.type, r.contact_id / 1024, bit_or(contact_bit(r.contact_id)) from changed r where ( select get_bit(k.contacts, r.contact_id % 1024) from event_blocks k
      where k.campaign_id = r.campaign_id and k.what = r.type and k.block = r.contact_id / 1024 ) is distinct from 1 group by 1, 2, 3 order by 1, 2, 3 on conflict (campaign_id, what, block) do
      update set contacts = b.contacts | excluded.contacts; return null; end if; update event_blocks b set contacts = b.contacts & ~g.contacts from ( select r.campaign_id, r.type, r.contact_id /
      1024 as block, bit_or(contact_bit(r.contact_id)) as contacts from changed r where not exists (select from events e where e.contact_id = r.contact_id and e.campaign_id = r.campaign_id and
      e.type = r.type) group by 1, 2, 3 ) g where b.campaign_id = g.campaign_id and b.what = g.type and b.block = g.block; return null; end $$;
    CREATE FUNCTION settle_reply_counts() RETURNS trigger LANGUAGE plpgsql AS $$ begin set constraints replies_counted, replies_recounted immediate; set constraints replies_counted,
      replies_recounted deferred; return new; end $$;
    CREATE TRIGGER contacts_audience_moved AFTER UPDATE OF is_shared_to_all, created_by ON contacts FOR EACH ROW WHEN ((contact_audience(NULL::timestamp with time zone, old.is_shared_to_all,
      old.created_by) IS DISTINCT FROM contact_audience(NULL::timestamp with time zone, new.is_shared_to_all, new.created_by))) EXECUTE FUNCTION move_private_counts();
    CREATE TRIGGER contacts_counts_moved AFTER UPDATE OF deleted_at, is_shared_to_all, created_by ON contacts FOR EACH ROW WHEN ((contact_audience(old.deleted_at, old.is_shared_to_all,
      old.created_by) IS DISTINCT FROM contact_audience(new.deleted_at, new.is_shared_to_all, new.created_by))) EXECUTE FUNCTION move_contact_counts();
    CREATE TRIGGER contacts_day_counts_moved AFTER UPDATE OF deleted_at, is_shared_to_all, created_by ON contacts FOR EACH ROW WHEN ((contact_audience(old.deleted_at, old.is_shared_to_all,
      old.created_by) IS DISTINCT FROM contact_audience(new.deleted_at, new.is_shared_to_all, new.created_by))) EXECUTE FUNCTION move_contact_day_counts();
    CREATE TRIGGER contacts_inserted AFTER INSERT ON contacts REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_contacts();
    CREATE TRIGGER contacts_inserted_into_blocks AFTER INSERT ON contacts REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION place_contacts();
    CREATE TRIGGER contacts_reply_counts_moved AFTER UPDATE OF deleted_at, is_shared_to_all, created_by ON contacts FOR EACH ROW WHEN ((contact_audience(old.deleted_at, old.is_shared_to_all,
      old.created_by) IS DISTINCT FROM contact_audience(new.deleted_at, new.is_shared_to_all, new.created_by))) EXECUTE FUNCTION move_reply_counts();
    CREATE TRIGGER contacts_reply_counts_settled BEFORE UPDATE OF deleted_at, is_shared_to_all, created_by ON contacts FOR EACH ROW WHEN ((contact_audience(old.deleted_at, old.is_shared_to_all,
      old.created_by) IS DISTINCT FROM contact_audience(new.deleted_at, new.is_shared_to_all, new.created_by))) EXECUTE FUNCTION settle_reply_counts();
    CREATE TRIGGER contacts_updated AFTER UPDATE ON contacts REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_contacts();
    CREATE TRIGGER contacts_updated_in_blocks AFTER UPDATE ON contacts REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION place_contacts();
    CREATE TRIGGER enrolments_counted_in AFTER INSERT ON enrolments REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_enrolments();
    CREATE TRIGGER enrolments_counted_out AFTER DELETE ON enrolments REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_enrolments();
    CREATE TRIGGER enrolments_deleted_active AFTER DELETE ON enrolments REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION flip_active();
    CREATE TRIGGER enrolments_inserted_active AFTER INSERT ON enrolments REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION flip_active();
    CREATE TRIGGER enrolments_moved_active AFTER UPDATE OF status, campaign_id, contact_id ON enrolments FOR EACH ROW WHEN ((((old.status = 'active'::text) <> (new.status = 'active'::text)) OR
      ((old.status = 'active'::text) AND ((old.campaign_id IS DISTINCT FROM new.campaign_id) OR (old.contact_id IS DISTINCT FROM new.contact_id))))) EXECUTE FUNCTION move_active();
    CREATE TRIGGER events_counted_in AFTER INSERT ON events REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_events();
    CREATE TRIGGER events_counted_in_by_day AFTER INSERT ON events REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_events_by_day();
    CREATE TRIGGER events_counted_into_blocks AFTER INSERT ON events REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION place_events();
    CREATE TRIGGER events_counted_out AFTER DELETE ON events REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_events();
    CREATE TRIGGER events_counted_out_by_day AFTER DELETE ON events REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_events_by_day();
    CREATE TRIGGER events_counted_out_of_blocks AFTER DELETE ON events REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION place_events();
    CREATE TRIGGER list_members_deleted AFTER DELETE ON list_members REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_list_members();
    CREATE TRIGGER list_members_inserted AFTER INSERT ON list_members REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_list_members();
    CREATE CONSTRAINT TRIGGER replies_counted AFTER INSERT OR DELETE ON replies DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_replies();
    CREATE CONSTRAINT TRIGGER replies_recounted AFTER UPDATE OF campaign_id, contact_id, account_id, kind, is_read, label, assigned_to, received_at ON replies DEFERRABLE INITIALLY DEFERRED FOR
      EACH ROW WHEN ((old.campaign_id, old.contact_id, old.account_id, old.kind, old.is_read, old.label, old.assigned_to, old.received_at) is distinct from (new.campaign_id, new.contact_id,
      new.account_id, new.kind, new.is_read, new.label, new.assigned_to, new.received_at)) EXECUTE FUNCTION count_replies();
  `,
  down: /* sql */ `
    drop index contacts_deleted_private;
    alter table mail_domains drop column is_counted;
    drop function contact_audience, contact_bit, count_contacts, count_enrolments, count_events, count_events_by_day, count_list_members,
    count_replies, count_reply, flip_active, month_of, move_active, move_contact_counts, move_contact_day_counts, move_private_counts,
    move_reply_counts, place_contacts, place_events, settle_reply_counts cascade;
    drop table active_blocks, active_changes, campaign_counts, campaign_stats, contact_blocks, contact_counts, domain_counts, domain_quarters,
    domain_totals, event_blocks, event_day_counts, list_counts, private_counts, provider_totals, reply_counts, report_counts;
  `,
};

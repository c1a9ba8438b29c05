import { Migration } from '@mikro-orm/migrations';

/**
 * Exact totals of the events and enrolments of a campaign, maintained by triggers in the transaction that writes, so that no
 * writer (COPY included) can forget them. Counted separately by who can see the contact, because a total must agree with the
 * rows that a caller sees.
 */
export class EventCounts0008 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      create table campaign_counts (
        campaign_id integer not null references campaigns,
        -- An event type, or 'enrolment'.
        what text not null,
        -- Who can see the contacts: 0 everyone, a user's id that creator, -1 only admins. Shares are counted in addition.
        audience integer not null,
        count bigint not null,
        primary key (campaign_id, what, audience)
      );

      -- Includes the columns that visibility needs, so that a page of the log is an index-only scan.
      drop index events_feed, events_feed_type, events_campaign;
      create index events_feed on events (workspace_id, at desc, id desc) include (campaign_id, contact_id);
      create index events_feed_type on events (workspace_id, type, at desc, id desc) include (campaign_id, contact_id);
      create index events_campaign on events (campaign_id, at desc, id desc) include (workspace_id, contact_id);
      create index events_campaign_type on events (campaign_id, type, at desc, id desc) include (workspace_id, contact_id);
      create index campaigns_hidden on campaigns (id) where deleted_at is not null or not is_shared_to_all;
      create index contacts_hidden on contacts (id) where deleted_at is not null or not is_shared_to_all;

      -- Null for a deleted contact: nobody sees what is logged of it.
      create function contact_audience(deleted_at timestamptz, is_shared_to_all boolean, created_by integer) returns integer
        language sql immutable
        return case when deleted_at is not null then null when is_shared_to_all then 0 else coalesce(created_by, -1) end;

      -- The campaign's statistics row is the lock. It is taken before contacts are looked at, so that one which is hidden
      -- or deleted at the same moment is either seen so here, or its own trigger sees the new rows.
      create function count_events() returns trigger language plpgsql as $$
      begin
        perform from campaign_stats s where s.campaign_id in (select r.campaign_id from changed r)
          order by s.campaign_id for no key update;
        insert into campaign_counts as c (campaign_id, what, audience, count)
        select r.campaign_id, r.type, contact_audience(k.deleted_at, k.is_shared_to_all, k.created_by),
          case tg_op when 'INSERT' then count(*) else -count(*) end
        from changed r join contacts k on k.id = r.contact_id and k.deleted_at is null
        group by 1, 2, 3 order by 1, 2, 3
        on conflict (campaign_id, what, audience) do update set count = c.count + excluded.count;
        return null;
      end $$;
      create trigger events_counted_in after insert on events
        referencing new table as changed for each statement execute function count_events();
      create trigger events_counted_out after delete on events
        referencing old table as changed for each statement execute function count_events();

      create function count_enrolments() returns trigger language plpgsql as $$
      begin
        perform from campaign_stats s where s.campaign_id in (select r.campaign_id from changed r)
          order by s.campaign_id for no key update;
        insert into campaign_counts as c (campaign_id, what, audience, count)
        select r.campaign_id, 'enrolment', contact_audience(k.deleted_at, k.is_shared_to_all, k.created_by),
          case tg_op when 'INSERT' then count(*) else -count(*) end
        from changed r join contacts k on k.id = r.contact_id and k.deleted_at is null
        group by 1, 3 order by 1, 3
        on conflict (campaign_id, what, audience) do update set count = c.count + excluded.count;
        return null;
      end $$;
      create trigger enrolments_counted_in after insert on enrolments
        referencing new table as changed for each statement execute function count_enrolments();
      create trigger enrolments_counted_out after delete on enrolments
        referencing old table as changed for each statement execute function count_enrolments();

      -- A contact that is shared, made private, deleted or restored takes its rows along.
      create function move_contact_counts() returns trigger language plpgsql as $$
      begin
        perform from campaign_stats s where s.campaign_id in (select e.campaign_id from enrolments e where e.contact_id = new.id)
          order by s.campaign_id for no key update;
        insert into campaign_counts as c (campaign_id, what, audience, count)
        select t.campaign_id, t.what, side.audience, sum(t.number * side.sign)
        from (
          select campaign_id, type as what, count(*) as number from events where contact_id = new.id group by 1, 2
          union all
          select campaign_id, 'enrolment', count(*) from enrolments where contact_id = new.id group by 1
        ) t
        cross join (values
          (contact_audience(old.deleted_at, old.is_shared_to_all, old.created_by), -1),
          (contact_audience(new.deleted_at, new.is_shared_to_all, new.created_by), 1)) side (audience, sign)
        where side.audience is not null
        group by 1, 2, 3 order by 1, 2, 3
        on conflict (campaign_id, what, audience) do update set count = c.count + excluded.count;
        return null;
      end $$;
      create trigger contacts_counts_moved after update of deleted_at, is_shared_to_all, created_by on contacts
        for each row when (contact_audience(old.deleted_at, old.is_shared_to_all, old.created_by)
          is distinct from contact_audience(new.deleted_at, new.is_shared_to_all, new.created_by))
        execute function move_contact_counts();

      insert into campaign_counts (campaign_id, what, audience, count)
      select t.campaign_id, t.what, contact_audience(k.deleted_at, k.is_shared_to_all, k.created_by), count(*)
      from (
        select campaign_id, type as what, contact_id from events
        union all
        select campaign_id, 'enrolment', contact_id from enrolments
      ) t
      join contacts k on k.id = t.contact_id and k.deleted_at is null
      group by 1, 2, 3;
    `);
  }

  override down(): void {
    this.addSql(`
      drop trigger contacts_counts_moved on contacts;
      drop trigger enrolments_counted_in on enrolments;
      drop trigger enrolments_counted_out on enrolments;
      drop trigger events_counted_in on events;
      drop trigger events_counted_out on events;
      drop function move_contact_counts, count_enrolments, count_events, contact_audience;
      drop index campaigns_hidden, contacts_hidden, events_feed, events_feed_type, events_campaign, events_campaign_type;
      create index events_feed on events (workspace_id, at desc, id desc);
      create index events_feed_type on events (workspace_id, type, at desc, id desc);
      create index events_campaign on events (campaign_id, at desc, id desc);
      drop table campaign_counts;
    `);
  }
}

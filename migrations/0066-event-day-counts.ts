import { Migration } from '@mikro-orm/migrations';

/**
 * Exact totals of the event log by day (UTC), for the total of a feed that begins long ago: counting ten million events took ten seconds.
 * Kept by the triggers that keep campaign_counts, under the same lock.
 */
export class EventDayCounts0066 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      create table event_day_counts (
        campaign_id integer not null references campaigns,
        day date not null,
        -- An event type.
        what text not null,
        -- As in campaign_counts: 0 everyone, a user's id that creator, -1 only admins. Shares are counted in addition.
        audience integer not null,
        count bigint not null,
        primary key (campaign_id, day, what, audience)
      );

      -- By the triggers of the same statement that count_events serves; the lock of the campaign is taken there first, by the order
      -- of their names.
      create function count_events_by_day() returns trigger language plpgsql as $$
      begin
        insert into event_day_counts as c (campaign_id, day, what, audience, count)
        select r.campaign_id, (r.at at time zone 'UTC')::date, r.type, contact_audience(k.deleted_at, k.is_shared_to_all, k.created_by),
          case tg_op when 'INSERT' then count(*) else -count(*) end
        from changed r join contacts k on k.id = r.contact_id and k.deleted_at is null
        group by 1, 2, 3, 4 order by 1, 2, 3, 4
        on conflict (campaign_id, day, what, audience) do update set count = c.count + excluded.count;
        return null;
      end $$;
      create trigger events_counted_in_by_day after insert on events
        referencing new table as changed for each statement execute function count_events_by_day();
      create trigger events_counted_out_by_day after delete on events
        referencing old table as changed for each statement execute function count_events_by_day();

      -- After contacts_counts_moved, which takes the locks.
      create function move_contact_day_counts() returns trigger language plpgsql as $$
      begin
        insert into event_day_counts as c (campaign_id, day, what, audience, count)
        select e.campaign_id, (e.at at time zone 'UTC')::date, e.type, side.audience, sum(side.sign)
        from events e
        cross join (values
          (contact_audience(old.deleted_at, old.is_shared_to_all, old.created_by), -1),
          (contact_audience(new.deleted_at, new.is_shared_to_all, new.created_by), 1)) side (audience, sign)
        where e.contact_id = new.id and side.audience is not null
        group by 1, 2, 3, 4 order by 1, 2, 3, 4
        on conflict (campaign_id, day, what, audience) do update set count = c.count + excluded.count;
        return null;
      end $$;
      create trigger contacts_day_counts_moved after update of deleted_at, is_shared_to_all, created_by on contacts
        for each row when (contact_audience(old.deleted_at, old.is_shared_to_all, old.created_by)
          is distinct from contact_audience(new.deleted_at, new.is_shared_to_all, new.created_by))
        execute function move_contact_day_counts();

      insert into event_day_counts (campaign_id, day, what, audience, count)
      select e.campaign_id, (e.at at time zone 'UTC')::date, e.type, contact_audience(k.deleted_at, k.is_shared_to_all, k.created_by), count(*)
      from events e join contacts k on k.id = e.contact_id and k.deleted_at is null
      group by 1, 2, 3, 4;
    `);
  }

  override down(): void {
    this.addSql(`
      drop trigger contacts_day_counts_moved on contacts;
      drop trigger events_counted_in_by_day on events;
      drop trigger events_counted_out_by_day on events;
      drop function move_contact_day_counts, count_events_by_day;
      drop table event_day_counts;
    `);
  }
}

import { Migration } from '@mikro-orm/migrations';

/**
 * Sets of contacts as bitmaps, a row for each 1,024 consecutive ids: the contacts of a workspace by who can see them, and those to whom
 * something happened in a campaign. Their intersections answer how many contacts were never emailed, and which are on the page after
 * the first 500,000, by a thousand rows per million contacts.
 */
export class ContactBlocks0106 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      -- Half full, so that a row is changed within its page.
      create table contact_blocks (
        workspace_id integer not null references workspaces,
        is_archived boolean not null,
        -- As in contact_counts.
        audience integer not null,
        -- The id of a contact divided by 1,024; its remainder is the bit.
        block integer not null,
        contacts bit(1024) not null,
        primary key (workspace_id, is_archived, audience, block)
      ) with (fillfactor = 50);
      create table event_blocks (
        campaign_id integer not null references campaigns,
        -- An event type.
        what text not null,
        block integer not null,
        -- Deleted contacts too.
        contacts bit(1024) not null,
        primary key (campaign_id, what, block)
      ) with (fillfactor = 50);

      create function contact_bit(contact_id integer) returns bit language sql immutable
        return set_bit(B'0'::bit(1024), contact_id % 1024, 1);

      -- After count_contacts, by the order of the triggers' names: its counters are the lock. A bit is flipped where a contact enters a
      -- set, and where it leaves one.
      create function place_contacts() returns trigger language plpgsql set enable_seqscan = off as $$
      begin
        if tg_op = 'INSERT' then
          insert into contact_blocks as b (workspace_id, is_archived, audience, block, contacts)
          select workspace_id, is_archived, contact_audience(deleted_at, is_shared_to_all, created_by), id / 1024, bit_or(contact_bit(id))
          from new_rows where deleted_at is null group by 1, 2, 3, 4 order by 1, 2, 3, 4
          on conflict (workspace_id, is_archived, audience, block) do update set contacts = b.contacts # excluded.contacts;
          return null;
        end if;
        insert into contact_blocks as b (workspace_id, is_archived, audience, block, contacts)
        select workspace_id, is_archived, audience, id / 1024, bit_or(contact_bit(id)) from (
          select workspace_id, is_archived, audience, id from (
            select workspace_id, is_archived, contact_audience(deleted_at, is_shared_to_all, created_by) as audience, id, 1 as n
            from new_rows where deleted_at is null
            union all
            select workspace_id, is_archived, contact_audience(deleted_at, is_shared_to_all, created_by), id, -1
            from old_rows where deleted_at is null
          ) changes group by 1, 2, 3, 4 having sum(n) <> 0
        ) moved group by 1, 2, 3, 4 order by 1, 2, 3, 4
        on conflict (workspace_id, is_archived, audience, block) do update set contacts = b.contacts # excluded.contacts;
        return null;
      end $$;
      create trigger contacts_inserted_into_blocks after insert on contacts
        referencing new table as new_rows for each statement execute function place_contacts();
      create trigger contacts_updated_in_blocks after update on contacts
        referencing old table as old_rows new table as new_rows for each statement execute function place_contacts();

      -- After count_events, which locks the campaigns. Most events are not the first of their contact, and write nothing here.
      create function place_events() returns trigger language plpgsql set enable_seqscan = off as $$
      begin
        if tg_op = 'INSERT' then
          insert into event_blocks as b (campaign_id, what, block, contacts)
          select r.campaign_id, r.type, r.contact_id / 1024, bit_or(contact_bit(r.contact_id)) from changed r
          where (
            select get_bit(k.contacts, r.contact_id % 1024) from event_blocks k
            where k.campaign_id = r.campaign_id and k.what = r.type and k.block = r.contact_id / 1024
          ) is distinct from 1
          group by 1, 2, 3 order by 1, 2, 3
          on conflict (campaign_id, what, block) do update set contacts = b.contacts | excluded.contacts;
          return null;
        end if;
        update event_blocks b set contacts = b.contacts & ~g.contacts from (
          select r.campaign_id, r.type, r.contact_id / 1024 as block, bit_or(contact_bit(r.contact_id)) as contacts from changed r
          where not exists (select from events e where e.contact_id = r.contact_id and e.campaign_id = r.campaign_id and e.type = r.type)
          group by 1, 2, 3
        ) g where b.campaign_id = g.campaign_id and b.what = g.type and b.block = g.block;
        return null;
      end $$;
      create trigger events_counted_into_blocks after insert on events
        referencing new table as changed for each statement execute function place_events();
      create trigger events_counted_out_of_blocks after delete on events
        referencing old table as changed for each statement execute function place_events();

      insert into contact_blocks (workspace_id, is_archived, audience, block, contacts)
      select workspace_id, is_archived, contact_audience(deleted_at, is_shared_to_all, created_by), id / 1024, bit_or(contact_bit(id))
      from contacts where deleted_at is null group by 1, 2, 3, 4;
      insert into event_blocks (campaign_id, what, block, contacts)
      select campaign_id, type, contact_id / 1024, bit_or(contact_bit(contact_id)) from events group by 1, 2, 3;
    `);
  }

  override down(): void {
    this.addSql(`
      drop trigger events_counted_out_of_blocks on events;
      drop trigger events_counted_into_blocks on events;
      drop trigger contacts_updated_in_blocks on contacts;
      drop trigger contacts_inserted_into_blocks on contacts;
      drop function place_events, place_contacts, contact_bit;
      drop table event_blocks, contact_blocks;
    `);
  }
}

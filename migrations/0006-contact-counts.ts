import { Migration } from '@mikro-orm/migrations';

/**
 * Exact totals without counting: how many contacts of a workspace everyone can see, archived and not archived, and how many
 * contacts each list has. Maintained by statement-level triggers, so that a COPY of a million rows costs one update.
 */
export class ContactCounts0006 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      create table contact_counts (
        workspace_id integer not null references workspaces,
        is_archived boolean not null,
        total integer not null,
        primary key (workspace_id, is_archived)
      );
      create table list_counts (
        list_id integer primary key references lists,
        total integer not null
      );

      -- Counters are locked in the order of their keys, so that two changes never wait for each other in a circle.
      -- Plans of functions are kept per connection, and one made when tables were empty would read them whole for every row
      -- of a later import. So these are written in a way that leaves one plan: a look-up in an index per changed row.
      create function count_contacts() returns trigger language plpgsql set enable_seqscan = off as $$
      begin
        if tg_op = 'INSERT' then
          insert into contact_counts as c (workspace_id, is_archived, total)
          select workspace_id, is_archived, count(*) from new_rows where deleted_at is null and is_shared_to_all
          group by 1, 2 order by 1, 2
          on conflict (workspace_id, is_archived) do update set total = c.total + excluded.total;
          return null;
        end if;
        insert into contact_counts as c (workspace_id, is_archived, total)
        select workspace_id, is_archived, sum(n) from (
          select workspace_id, is_archived, 1 as n from new_rows where deleted_at is null and is_shared_to_all
          union all
          select workspace_id, is_archived, -1 from old_rows where deleted_at is null and is_shared_to_all
        ) changes group by 1, 2 having sum(n) <> 0 order by 1, 2
        on conflict (workspace_id, is_archived) do update set total = c.total + excluded.total;

        insert into list_counts as c (list_id, total)
        select m.list_id, sum(changed.n)
        from (
          select id, sum(n) as n from (
            select id, 1 as n from new_rows where deleted_at is null
            union all
            select id, -1 from old_rows where deleted_at is null
          ) lives group by id having sum(n) <> 0
        ) changed cross join lateral (select list_id from list_members where contact_id = changed.id offset 0) m
        group by 1 having sum(changed.n) <> 0 order by 1
        on conflict (list_id) do update set total = c.total + excluded.total;
        return null;
      end $$;
      create trigger contacts_inserted after insert on contacts
        referencing new table as new_rows for each statement execute function count_contacts();
      create trigger contacts_updated after update on contacts
        referencing old table as old_rows new table as new_rows for each statement execute function count_contacts();

      -- A contact is held against being deleted or restored meanwhile: its own trigger then either sees these memberships,
      -- or has changed what is counted here before it is.
      create function count_list_members() returns trigger language plpgsql set enable_seqscan = off as $$
      begin
        insert into list_counts as c (list_id, total)
        select list_id, case tg_op when 'INSERT' then count(*) else -count(*) end
        from (select list_id, contact_id from changed order by contact_id) m
        where (select t.deleted_at is null from contacts t where t.id = m.contact_id for share)
        group by 1 order by 1
        on conflict (list_id) do update set total = c.total + excluded.total;
        return null;
      end $$;
      create trigger list_members_inserted after insert on list_members
        referencing new table as changed for each statement execute function count_list_members();
      create trigger list_members_deleted after delete on list_members
        referencing old table as changed for each statement execute function count_list_members();

      -- Includes the columns that visibility needs, so that a page of ids is an index-only scan, for managers too.
      drop index contacts_page, contacts_archived_page;
      create index contacts_page on contacts (workspace_id, id) include (is_shared_to_all, created_by)
        where deleted_at is null and not is_archived;
      create index contacts_archived_page on contacts (workspace_id, id) include (is_shared_to_all, created_by)
        where deleted_at is null and is_archived;

      insert into contact_counts (workspace_id, is_archived, total)
      select workspace_id, is_archived, count(*) from contacts where deleted_at is null and is_shared_to_all group by 1, 2;
      insert into list_counts (list_id, total)
      select m.list_id, count(*) from list_members m join contacts t on t.id = m.contact_id and t.deleted_at is null group by 1;
    `);
  }

  override down(): void {
    this.addSql(`
      drop trigger contacts_inserted on contacts;
      drop trigger contacts_updated on contacts;
      drop trigger list_members_inserted on list_members;
      drop trigger list_members_deleted on list_members;
      drop function count_contacts, count_list_members;
      drop table list_counts, contact_counts;
      drop index contacts_page, contacts_archived_page;
      create index contacts_page on contacts (workspace_id, id) where deleted_at is null and not is_archived;
      create index contacts_archived_page on contacts (workspace_id, id) where deleted_at is null and is_archived;
    `);
  }
}

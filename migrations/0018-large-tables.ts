import { Migration } from '@mikro-orm/migrations';

/**
 * Keeps reads fast if many contacts are private: contacts are counted by who can see them, as events are, instead of counting the
 * private ones in every request. What admins can't see, only deleted contacts, has its own index.
 */
export class LargeTables0018 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      drop table contact_counts;
      create table contact_counts (
        workspace_id integer not null references workspaces,
        is_archived boolean not null,
        -- As in campaign_counts: 0 everyone, a user's id that creator, -1 only admins. Shares are counted in addition.
        audience integer not null,
        total integer not null,
        primary key (workspace_id, is_archived, audience)
      );

      create or replace function count_contacts() returns trigger language plpgsql set enable_seqscan = off as $$
      begin
        if tg_op = 'INSERT' then
          insert into contact_counts as c (workspace_id, is_archived, audience, total)
          select workspace_id, is_archived, contact_audience(deleted_at, is_shared_to_all, created_by), count(*)
          from new_rows where deleted_at is null group by 1, 2, 3 order by 1, 2, 3
          on conflict (workspace_id, is_archived, audience) do update set total = c.total + excluded.total;
          return null;
        end if;
        insert into contact_counts as c (workspace_id, is_archived, audience, total)
        select workspace_id, is_archived, audience, sum(n) from (
          select workspace_id, is_archived, contact_audience(deleted_at, is_shared_to_all, created_by) as audience, 1 as n
          from new_rows where deleted_at is null
          union all
          select workspace_id, is_archived, contact_audience(deleted_at, is_shared_to_all, created_by), -1
          from old_rows where deleted_at is null
        ) changes group by 1, 2, 3 having sum(n) <> 0 order by 1, 2, 3
        on conflict (workspace_id, is_archived, audience) do update set total = c.total + excluded.total;

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

      insert into contact_counts (workspace_id, is_archived, audience, total)
      select workspace_id, is_archived, contact_audience(deleted_at, is_shared_to_all, created_by), count(*)
      from contacts where deleted_at is null group by 1, 2, 3;

      create index contacts_deleted on contacts (id) where deleted_at is not null;
      create index campaigns_deleted on campaigns (id) where deleted_at is not null;

      -- For index-only scans of a campaign's enrolments.
      drop index enrolments_page;
      create index enrolments_page on enrolments (campaign_id, id) include (contact_id);
    `);
  }

  override down(): void {
    this.addSql(/* sql */ `
      drop index contacts_deleted, campaigns_deleted, enrolments_page;
      create index enrolments_page on enrolments (campaign_id, id);
      drop table contact_counts;
      create table contact_counts (
        workspace_id integer not null references workspaces,
        is_archived boolean not null,
        total integer not null,
        primary key (workspace_id, is_archived)
      );
      insert into contact_counts (workspace_id, is_archived, total)
      select workspace_id, is_archived, count(*) from contacts where deleted_at is null and is_shared_to_all group by 1, 2;
      create or replace function count_contacts() returns trigger language plpgsql set enable_seqscan = off as $$
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
    `);
  }
}

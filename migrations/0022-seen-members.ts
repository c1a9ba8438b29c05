import { Migration } from '@mikro-orm/migrations';

/**
 * Counts the contacts of a list by who can see them, like contacts, enrolments and events: `contact_count` must agree with the
 * members that a caller sees.
 */
export class SeenMembers0022 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      drop table list_counts;
      create table list_counts (
        list_id integer not null references lists,
        -- As in campaign_counts: 0 everyone, a user's id that creator, -1 only admins. Shares are counted in addition.
        audience integer not null,
        total integer not null,
        primary key (list_id, audience)
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

        insert into list_counts as c (list_id, audience, total)
        select m.list_id, changed.audience, sum(changed.n)
        from (
          select id, audience, sum(n) as n from (
            select id, contact_audience(deleted_at, is_shared_to_all, created_by) as audience, 1 as n
            from new_rows where deleted_at is null
            union all
            select id, contact_audience(deleted_at, is_shared_to_all, created_by), -1 from old_rows where deleted_at is null
          ) lives group by 1, 2 having sum(n) <> 0
        ) changed cross join lateral (select list_id from list_members where contact_id = changed.id offset 0) m
        group by 1, 2 having sum(changed.n) <> 0 order by 1, 2
        on conflict (list_id, audience) do update set total = c.total + excluded.total;
        return null;
      end $$;

      -- As before: each contact is held against being hidden, deleted or restored meanwhile, in the order of their ids.
      create or replace function count_list_members() returns trigger language plpgsql set enable_seqscan = off as $$
      begin
        insert into list_counts as c (list_id, audience, total)
        select list_id, audience, case tg_op when 'INSERT' then count(*) else -count(*) end
        from (
          select list_id, (
            select contact_audience(t.deleted_at, t.is_shared_to_all, t.created_by) from contacts t where t.id = m.contact_id for share
          ) as audience
          from (select list_id, contact_id from changed order by contact_id) m offset 0
        ) seen
        where audience is not null
        group by 1, 2 order by 1, 2
        on conflict (list_id, audience) do update set total = c.total + excluded.total;
        return null;
      end $$;

      insert into list_counts (list_id, audience, total)
      select m.list_id, contact_audience(t.deleted_at, t.is_shared_to_all, t.created_by), count(*)
      from list_members m join contacts t on t.id = m.contact_id and t.deleted_at is null group by 1, 2;
    `);
  }

  override down(): void {
    this.addSql(/* sql */ `
      drop table list_counts;
      create table list_counts (
        list_id integer primary key references lists,
        total integer not null
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
      create or replace function count_list_members() returns trigger language plpgsql set enable_seqscan = off as $$
      begin
        insert into list_counts as c (list_id, total)
        select list_id, case tg_op when 'INSERT' then count(*) else -count(*) end
        from (select list_id, contact_id from changed order by contact_id) m
        where (select t.deleted_at is null from contacts t where t.id = m.contact_id for share)
        group by 1 order by 1
        on conflict (list_id) do update set total = c.total + excluded.total;
        return null;
      end $$;
      insert into list_counts (list_id, total)
      select m.list_id, count(*) from list_members m join contacts t on t.id = m.contact_id and t.deleted_at is null group by 1;
    `);
  }
}

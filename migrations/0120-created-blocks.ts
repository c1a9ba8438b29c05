import { Migration } from '@mikro-orm/migrations';

/**
 * Keeps with each block of contacts between which instants they were created. Ids follow time, so a search by that instant takes most
 * blocks as a whole or not at all, and looks up the contacts of the few between. The bounds may be wider than what is left in the block.
 */
export class CreatedBlocks0120 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      truncate contact_blocks;
      alter table contact_blocks add column created_from timestamptz not null, add column created_to timestamptz not null;

      create or replace function place_contacts() returns trigger language plpgsql set enable_seqscan = off as $$
      begin
        if tg_op = 'INSERT' then
          insert into contact_blocks as b (workspace_id, is_archived, audience, block, contacts, created_from, created_to)
          select workspace_id, is_archived, contact_audience(deleted_at, is_shared_to_all, created_by), id / 1024, bit_or(contact_bit(id)),
            min(created_at), max(created_at)
          from new_rows where deleted_at is null group by 1, 2, 3, 4 order by 1, 2, 3, 4
          on conflict (workspace_id, is_archived, audience, block) do update set contacts = b.contacts # excluded.contacts,
            created_from = least(b.created_from, excluded.created_from), created_to = greatest(b.created_to, excluded.created_to);
          return null;
        end if;
        insert into contact_blocks as b (workspace_id, is_archived, audience, block, contacts, created_from, created_to)
        select workspace_id, is_archived, audience, id / 1024, coalesce(bit_or(contact_bit(id)) filter (where n <> 0), B'0'::bit(1024)),
          min(created_from), max(created_to)
        from (
          select workspace_id, is_archived, audience, id, sum(n) as n, min(created_at) as created_from, max(created_at) as created_to from (
            select workspace_id, is_archived, contact_audience(deleted_at, is_shared_to_all, created_by) as audience, id, 1 as n, created_at
            from new_rows where deleted_at is null
            union all
            select workspace_id, is_archived, contact_audience(deleted_at, is_shared_to_all, created_by), id, -1, created_at
            from old_rows where deleted_at is null
          ) changes group by 1, 2, 3, 4 having sum(n) <> 0 or min(created_at) <> max(created_at)
        ) moved group by 1, 2, 3, 4 order by 1, 2, 3, 4
        on conflict (workspace_id, is_archived, audience, block) do update set contacts = b.contacts # excluded.contacts,
          created_from = least(b.created_from, excluded.created_from), created_to = greatest(b.created_to, excluded.created_to);
        return null;
      end $$;

      insert into contact_blocks (workspace_id, is_archived, audience, block, contacts, created_from, created_to)
      select workspace_id, is_archived, contact_audience(deleted_at, is_shared_to_all, created_by), id / 1024, bit_or(contact_bit(id)),
        min(created_at), max(created_at)
      from contacts where deleted_at is null group by 1, 2, 3, 4;
    `);
  }

  override down(): void {
    this.addSql(/* sql */ `
      alter table contact_blocks drop column created_from, drop column created_to;
      create or replace function place_contacts() returns trigger language plpgsql set enable_seqscan = off as $$
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
    `);
  }
}

import { Migration } from '@mikro-orm/migrations';

/**
 * Lists, members, replies and searches are counted in an index when they are read. One counter is kept: the live contacts of a workspace.
 * Indexes that served the same reads are merged.
 */
export class CountedByIndex0127 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      drop trigger contacts_inserted_into_blocks on contacts;
      drop trigger contacts_updated_in_blocks on contacts;
      drop trigger events_counted_into_blocks on events;
      drop trigger events_counted_out_of_blocks on events;
      drop trigger enrolments_inserted_active on enrolments;
      drop trigger enrolments_deleted_active on enrolments;
      drop trigger enrolments_moved_active on enrolments;
      drop trigger list_members_inserted on list_members;
      drop trigger list_members_deleted on list_members;
      drop trigger contacts_reply_counts_settled on contacts;
      drop trigger contacts_reply_counts_moved on contacts;
      drop trigger replies_counted on replies;
      drop trigger replies_recounted on replies;
      drop function place_contacts, place_events, flip_active, move_active, contact_bit, count_list_members, settle_reply_counts,
        move_reply_counts, count_replies, count_reply, month_of;
      drop table contact_blocks, event_blocks, active_blocks, active_changes, list_counts, reply_counts;

      -- Live contacts. Rows are locked in the order of the key, so that two writers never wait for each other in a circle.
      drop table contact_counts;
      create table contact_counts (
        workspace_id integer not null references workspaces,
        is_archived boolean not null,
        total integer not null,
        primary key (workspace_id, is_archived)
      );
      insert into contact_counts (workspace_id, is_archived, total)
      select workspace_id, is_archived, count(*) from contacts where deleted_at is null group by 1, 2;

      create or replace function count_contacts() returns trigger language plpgsql as $$
      begin
        if tg_op = 'INSERT' then
          insert into contact_counts as c (workspace_id, is_archived, total)
          select workspace_id, is_archived, count(*) from new_rows where deleted_at is null group by 1, 2 order by 1, 2
          on conflict (workspace_id, is_archived) do update set total = c.total + excluded.total;
        else
          insert into contact_counts as c (workspace_id, is_archived, total)
          select workspace_id, is_archived, sum(n) from (
            select workspace_id, is_archived, 1 as n from new_rows where deleted_at is null
            union all
            select workspace_id, is_archived, -1 from old_rows where deleted_at is null
          ) changes group by 1, 2 having sum(n) <> 0 order by 1, 2
          on conflict (workspace_id, is_archived) do update set total = c.total + excluded.total;
        end if;
        return null;
      end $$;
      alter function count_contacts reset enable_seqscan;

      -- All live contacts of a workspace by id, archived or not, with what visibility needs: pages are index-only scans.
      drop index contacts_page, contacts_archived_page;
      create index contacts_page on contacts (workspace_id, is_archived, id) include (is_shared_to_all, created_by) where deleted_at is null;
      -- Whatever may be hidden from somebody.
      drop index contacts_hidden, contacts_private, contacts_deleted, contacts_deleted_private;
      create index contacts_hidden on contacts (workspace_id, id) include (deleted_at, is_shared_to_all, created_by, is_archived)
        where deleted_at is not null or not is_shared_to_all;

      -- They hold every column by which replies are filtered: a page and its total are index-only scans. The second one has the replies that
      -- somebody looks for by a mark; of the others nobody has made a note.
      drop index replies_page, replies_unread, replies_label, replies_assigned, replies_account;
      create index replies_page on replies (workspace_id, received_at desc, id desc) include (kind, campaign_id, contact_id, account_id);
      create index replies_marked on replies (workspace_id, received_at desc, id desc)
        include (kind, campaign_id, contact_id, account_id, is_read, label, assigned_to)
        where not is_read or label is not null or assigned_to is not null;
    `);
  }

  override down(): void {
    throw new Error('there is no way back from here');
  }
}

import { Migration } from '@mikro-orm/migrations';

/**
 * Sets of the contacts who are still in the sequence of a campaign, as bitmaps like those of 0106. Whoever changes a status only adds a row
 * that flips the bit and waits for nobody; a job moves those rows into the sets. Contacts who are deleted and were private get an index,
 * as they are in none of the sets by who can see a contact.
 */
export class ActiveBlocks0121 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      create table active_blocks (
        campaign_id integer not null references campaigns,
        -- As in contact_blocks.
        block integer not null,
        contacts bit(1024) not null,
        primary key (campaign_id, block)
      ) with (fillfactor = 50);
      -- Bits that have changed since. Campaigns are never deleted, and the enrolment refers to its own.
      create table active_changes (
        id bigint generated always as identity,
        campaign_id integer not null,
        block integer not null,
        contacts bit(1024) not null,
        primary key (campaign_id, id)
      ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

      create function flip_active() returns trigger language plpgsql as $$
      begin
        insert into active_changes (campaign_id, block, contacts)
        select r.campaign_id, r.contact_id / 1024, bit_or(contact_bit(r.contact_id)) from changed r where r.status = 'active' group by 1, 2;
        return null;
      end $$;
      create trigger enrolments_inserted_active after insert on enrolments
        referencing new table as changed for each statement execute function flip_active();
      create trigger enrolments_deleted_active after delete on enrolments
        referencing old table as changed for each statement execute function flip_active();

      -- By row, as most updates change no status and then cost nothing.
      create function move_active() returns trigger language plpgsql as $$
      begin
        insert into active_changes (campaign_id, block, contacts)
        select r.campaign_id, r.contact_id / 1024, contact_bit(r.contact_id)
        from (values (old.campaign_id, old.contact_id, old.status), (new.campaign_id, new.contact_id, new.status)) r (campaign_id, contact_id, status)
        where r.status = 'active';
        return null;
      end $$;
      create trigger enrolments_moved_active after update of status, campaign_id, contact_id on enrolments
        for each row when ((old.status = 'active') <> (new.status = 'active')
          or (old.status = 'active' and (old.campaign_id, old.contact_id) is distinct from (new.campaign_id, new.contact_id)))
        execute function move_active();

      insert into active_blocks (campaign_id, block, contacts)
      select campaign_id, contact_id / 1024, bit_or(contact_bit(contact_id)) from enrolments where status = 'active' group by 1, 2;

      create index contacts_deleted_private on contacts (workspace_id, id) where deleted_at is not null and not is_shared_to_all;
    `);
  }

  override down(): void {
    this.addSql(`
      drop index contacts_deleted_private;
      drop trigger enrolments_moved_active on enrolments;
      drop trigger enrolments_deleted_active on enrolments;
      drop trigger enrolments_inserted_active on enrolments;
      drop function move_active, flip_active;
      drop table active_changes, active_blocks;
    `);
  }
}

import { Migration } from '@mikro-orm/migrations';

/**
 * Lets a campaign enrol whoever joins a list. The transaction in which a contact joins notes it in `pending_enrolments`, whatever
 * statement adds the member; daemons enrol from there.
 */
export class Joining0098 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      -- Null is nobody, and as the setter of a list the operator.
      alter table campaigns add column list_id integer references lists, add column list_set_by integer references users;
      create index campaigns_list on campaigns (list_id) where list_id is not null;

      create table pending_enrolments (
        id bigint generated always as identity primary key,
        campaign_id integer not null references campaigns,
        contact_id integer not null references contacts,
        list_id integer not null,
        created_at timestamptz not null
      );
      create index pending_enrolments_campaign on pending_enrolments (campaign_id, id);
      create index pending_enrolments_contact on pending_enrolments (contact_id);

      -- A rotation group counts as one campaign: enrolling distributes its contacts. The check of the foreign key to the list comes
      -- before this trigger, by its name, and waits for whoever is giving the list to a campaign (for update); this sees that then.
      create function note_joining() returns trigger language plpgsql set enable_seqscan = off as $$
      begin
        if not exists (select from campaigns where list_id is not null and deleted_at is null) then
          return null;
        end if;
        insert into pending_enrolments (campaign_id, contact_id, list_id, created_at)
        select f.id, n.contact_id, n.list_id, n.added_at
        from new_rows n join (
          select distinct on (c.list_id, coalesce(c.rotation_group_id, -c.id)) c.list_id, c.id
          from campaigns c where c.list_id is not null and c.deleted_at is null
          order by c.list_id, coalesce(c.rotation_group_id, -c.id), c.id
        ) f on f.list_id = n.list_id
        order by f.id, n.contact_id;
        return null;
      end $$;
      create trigger members_joining after insert on list_members
        referencing new table as new_rows for each statement execute function note_joining();`);
  }

  override down(): void {
    this.addSql(/* sql */ `
      drop trigger members_joining on list_members;
      drop function note_joining();
      drop table pending_enrolments;
      alter table campaigns drop column list_id, drop column list_set_by`);
  }
}

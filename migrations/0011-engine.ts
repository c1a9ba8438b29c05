import { Migration } from '@mikro-orm/migrations';

/** Contacts' own time zones beside their enrolments; what the guard against bounces counts. */
export class Engine0011 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      -- The time zone that the contact names in its custom field "timezone", as it stands there; kept here so that the
      -- sender finds the due ones of a zone without reading contacts.
      alter table enrolments add column timezone text;
      update enrolments e set timezone = t.custom_fields->>'timezone' from contacts t
      where t.id = e.contact_id and length(t.custom_fields->>'timezone') between 1 and 64;

      create function keep_enrolment_timezone() returns trigger language plpgsql as $$
      begin
        update enrolments set timezone = case when length(new.custom_fields->>'timezone') between 1 and 64 then new.custom_fields->>'timezone' end
        where contact_id = new.id;
        return null;
      end $$;
      create trigger contacts_timezone after update of custom_fields on contacts for each row
        when (old.custom_fields->>'timezone' is distinct from new.custom_fields->>'timezone')
        execute function keep_enrolment_timezone();

      -- Mails of the day that bounced; those of them that the server refused at once are not among the accepted.
      alter table account_days
        add column bounced integer not null default 0,
        add column refused integer not null default 0,
        -- What a resume took off the record: the guard counts the rest.
        add column forgiven_mails integer not null default 0,
        add column forgiven_bounces integer not null default 0;
    `);
  }

  override down(): void {
    this.addSql(`
      alter table account_days drop column bounced, drop column refused, drop column forgiven_mails, drop column forgiven_bounces;
      drop trigger contacts_timezone on contacts;
      drop function keep_enrolment_timezone;
      alter table enrolments drop column timezone;
    `);
  }
}

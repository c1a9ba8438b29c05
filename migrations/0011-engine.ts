import { Migration } from '@mikro-orm/migrations';

/** The contact's time zone on its enrolments, and the counts of the bounce-rate check. */
export class Engine0011 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      -- The contact's custom field "timezone", unchanged; copied here so that due enrolments of a time zone are found
      -- without reading contacts.
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

      -- Emails of the day that bounced; those that the server refused at once are not among the accepted ones.
      alter table account_days
        add column bounced integer not null default 0,
        add column refused integer not null default 0,
        -- Bounces that a resume has cleared: the check counts the rest.
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

import { Migration } from '@mikro-orm/migrations';

/**
 * Limits of a campaign and its rotation group for a day of its time zone: first emails, and emails to one company. What counts against
 * them is read from the outbox, so that an email that was put back counts no more and a crash leaves nothing to correct.
 */
export class CampaignLimits0093 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      alter table campaigns add column new_contacts_per_day integer check (new_contacts_per_day > 0),
        add column max_per_company_per_day integer check (max_per_company_per_day > 0);
      alter table outbox add column counts_on date, add column is_first boolean;
      create index outbox_limited on outbox (campaign_id, counts_on) where counts_on is not null;
    `);
  }

  override down(): void {
    this.addSql(/* sql */ `
      alter table outbox drop column is_first, drop column counts_on;
      alter table campaigns drop column max_per_company_per_day, drop column new_contacts_per_day;
    `);
  }
}

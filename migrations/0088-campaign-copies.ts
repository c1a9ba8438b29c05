import { Migration } from '@mikro-orm/migrations';

/**
 * Addresses that get a copy of each email of a campaign, and those that got one of an email: what comes back from them says nothing
 * about the contact.
 */
export class CampaignCopies0088 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `alter table campaigns add column cc text[] not null default '{}', add column bcc text[] not null default '{}'`);
    this.addSql(/* sql */ 'alter table outbox add column copies text[]');
  }

  override down(): void {
    this.addSql(/* sql */ 'alter table outbox drop column copies');
    this.addSql(/* sql */ 'alter table campaigns drop column cc, drop column bcc');
  }
}

import { Migration } from '@mikro-orm/migrations';

/**
 * Indexes for reports by domain on some days, or on several campaigns: the domains with the most emails are found in the index alone, and
 * then their rows.
 */
export class DomainsBySize0122 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      alter table domain_totals drop constraint domain_totals_pkey,
        add constraint domain_totals_pkey primary key (campaign_id, day, domain) include (sent);
      drop index domain_totals_domain;
      create index domain_totals_domain on domain_totals (domain, campaign_id, day);
    `);
  }

  override down(): void {
    this.addSql(`
      drop index domain_totals_domain;
      create index domain_totals_domain on domain_totals (domain);
      alter table domain_totals drop constraint domain_totals_pkey,
        add constraint domain_totals_pkey primary key (campaign_id, day, domain);
    `);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** Tells domains that contacts are held for from those that only reports ask for: they are looked up first, and somebody goes on after it. */
export class AwaitedProviders0103 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      alter table mail_domains add column is_awaited boolean not null default false;
      update mail_domains d set is_awaited = true where wanted_at is not null and not exists (select from domain_totals t where t.domain = d.domain);
      drop index mail_domains_wanted;
      create index mail_domains_wanted on mail_domains (is_awaited desc, wanted_at) where wanted_at is not null;`);
  }

  override down(): void {
    this.addSql(/* sql */ `
      drop index mail_domains_wanted;
      alter table mail_domains drop column is_awaited;
      create index mail_domains_wanted on mail_domains (wanted_at) where wanted_at is not null;`);
  }
}

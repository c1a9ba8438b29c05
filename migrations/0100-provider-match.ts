import { Migration } from '@mikro-orm/migrations';

/**
 * Lets a rotation group send to contacts at Google or Microsoft from its accounts there. At whom a domain has its email is looked up
 * once for all workspaces: it is public, and no address is kept with it.
 */
export class ProviderMatch0100 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      create table mail_domains (
        domain text primary key,
        -- Null until the first look-up.
        provider text check (provider in ('google', 'microsoft', 'other')),
        -- From when on it is looked up again if somebody asks for it.
        expires_at timestamptz,
        -- Since when a look-up is wanted; null if none is.
        wanted_at timestamptz
      );
      create index mail_domains_wanted on mail_domains (wanted_at) where wanted_at is not null;
      create index mail_domains_expired on mail_domains (expires_at) where wanted_at is null;

      alter table campaigns add column provider_match text not null default 'off' check (provider_match in ('off', 'prefer', 'require'));
      create index enrolments_provider_held on enrolments (campaign_id) where hold_reason like '% (provider_match)';`);
  }

  override down(): void {
    this.addSql(/* sql */ `
      drop index enrolments_provider_held;
      alter table campaigns drop column provider_match;
      drop table mail_domains`);
  }
}

import { Migration } from '@mikro-orm/migrations';

/**
 * Sums up by domain and by provider what events add to domain_counts. A job moves those counts into the totals, so that neither their
 * order by size nor the providers cost anything when an email is sent. What was counted before becomes the totals as it is.
 */
export class ProviderTotals0102 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      alter table domain_counts rename to domain_totals;
      alter index domain_counts_pkey rename to domain_totals_pkey;
      create table domain_counts (like domain_totals including defaults, primary key (campaign_id, day, domain))
        with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
      -- By which the row is counted in provider_totals.
      alter table domain_totals add column provider text not null default 'unknown' check (provider in ('google', 'microsoft', 'other', 'unknown'));
      create index domain_totals_largest on domain_totals (campaign_id, sent desc, domain collate "C") where day = '-infinity';
      create index domain_totals_domain on domain_totals (domain);

      create table provider_totals (like domain_counts including defaults) with (fillfactor = 50);
      alter table provider_totals rename column domain to provider;
      alter table provider_totals add primary key (campaign_id, day, provider),
        add check (provider in ('google', 'microsoft', 'other', 'unknown'));
      insert into provider_totals (campaign_id, day, provider, sent, returned, contacts, contacts_returned, opened, clicked, replied, auto_replied, bounced, refused, failed, unsubscribed,
        emails_opened, emails_clicked, machine_opened, machine_clicked)
      select campaign_id, day, 'unknown', sum(sent), sum(returned), sum(contacts), sum(contacts_returned), sum(opened), sum(clicked), sum(replied), sum(auto_replied),
        sum(bounced), sum(refused), sum(failed), sum(unsubscribed), sum(emails_opened), sum(emails_clicked), sum(machine_opened),
        sum(machine_clicked)
      from domain_totals group by campaign_id, day;

      -- False once the provider has become known or changed, until the totals have followed.
      alter table mail_domains add column is_counted boolean not null default true;
      update mail_domains set is_counted = false where provider is not null;
      create index mail_domains_uncounted on mail_domains (domain) where not is_counted;
      insert into mail_domains (domain, wanted_at) select domain, now() from domain_totals where day = '-infinity' group by domain order by 1
      on conflict (domain) do nothing;
    `);
  }

  override down(): void {
    this.addSql(/* sql */ `
      insert into domain_totals as r (campaign_id, day, domain, sent, returned, contacts, contacts_returned, opened, clicked, replied, auto_replied, bounced, refused, failed, unsubscribed,
        emails_opened, emails_clicked, machine_opened, machine_clicked)
      select campaign_id, day, domain, sent, returned, contacts, contacts_returned, opened, clicked, replied, auto_replied, bounced, refused, failed, unsubscribed,
        emails_opened, emails_clicked, machine_opened, machine_clicked from domain_counts
      on conflict (campaign_id, day, domain) do update set
        sent = r.sent + excluded.sent, returned = r.returned + excluded.returned, contacts = r.contacts + excluded.contacts,
        contacts_returned = r.contacts_returned + excluded.contacts_returned, opened = r.opened + excluded.opened,
        clicked = r.clicked + excluded.clicked, replied = r.replied + excluded.replied,
        auto_replied = r.auto_replied + excluded.auto_replied, bounced = r.bounced + excluded.bounced,
        refused = r.refused + excluded.refused, failed = r.failed + excluded.failed,
        unsubscribed = r.unsubscribed + excluded.unsubscribed, emails_opened = r.emails_opened + excluded.emails_opened,
        emails_clicked = r.emails_clicked + excluded.emails_clicked, machine_opened = r.machine_opened + excluded.machine_opened,
        machine_clicked = r.machine_clicked + excluded.machine_clicked;
      drop table domain_counts, provider_totals;
      drop index domain_totals_largest, domain_totals_domain;
      alter table domain_totals drop column provider;
      alter table domain_totals rename to domain_counts;
      alter index domain_totals_pkey rename to domain_counts_pkey;
      alter table mail_domains drop column is_counted;
    `);
  }
}

import { Migration } from '@mikro-orm/migrations';

/**
 * Sums up the emails of each domain by month: a report by domain on some days of several campaigns takes whole months from here, and
 * reads the days only at their ends.
 */
export class DomainMonths0123 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      create table domain_months (
        campaign_id integer not null,
        -- The first day of the month.
        month date not null,
        domain text not null,
        sent integer not null,
        -- So that the index alone answers.
        primary key (campaign_id, month, domain) include (sent)
      ) with (fillfactor = 80);
      insert into domain_months (campaign_id, month, domain, sent)
      select campaign_id, date_trunc('month', day)::date, domain, sum(sent) from domain_totals where day > '-infinity' and sent <> 0
      group by 1, 2, 3 order by 1, 2, 3;
    `);
  }

  override down(): void {
    this.addSql('drop table domain_months');
  }
}

import { Migration } from '@mikro-orm/migrations';
import { COUNTED } from './0124-private-counts.ts';

/** From the 1st, 8th, 16th and 24th of each month on the emails of the quarter are summed up. */
const FROM = Array.from({ length: 11 }, (_, index) => `from_${index + 1}`);
const MEASURES = Object.keys(COUNTED).filter((name) => name !== 'sent');
const listed = (names: readonly string[]): string => names.map((name) => `, ${name}`).join('');
const NAMES = listed([...FROM, ...MEASURES]);
const COLUMNS = listed([...FROM, ...MEASURES].map((name) => `${name} integer not null`));
const SUMS = listed([
  ...FROM.map((_, index) => `coalesce(sum(sent) filter (where place > ${index}), 0)`),
  ...MEASURES.map((name) => `sum(${name})`),
]);

/**
 * Sums up what is counted by domain by quarter, instead of the emails by month, and in the same row the emails from each of twelve days of the
 * quarter on: a report by domain on some days of several campaigns finds the largest by a row a quarter and at most four single days at either
 * end, and counts these by rows of whole quarters.
 */
export class DomainQuarters0126 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      create table domain_quarters (
        campaign_id integer not null,
        is_private boolean not null default false,
        -- The first day of the quarter.
        quarter date not null,
        domain text not null,
        audience integer not null default 0,
        sent integer not null
        -- Emails of its days from the 8th, 16th and 24th of its first month on, and from the 1st, 8th, 16th and 24th of the others.
        ${COLUMNS},
        -- So that the index alone answers which have the most emails.
        primary key (campaign_id, is_private, quarter, domain, audience) include (sent${listed(FROM)})
      ) with (fillfactor = 80);
      insert into domain_quarters (campaign_id, is_private, quarter, domain, audience, sent${NAMES})
      select campaign_id, is_private, quarter, domain, audience, sum(sent)${SUMS}
      from (
        select t.*, date_trunc('quarter', t.day::timestamp)::date as quarter,
          (date_part('month', t.day)::int - 1) % 3 * 4 + date_part('day', t.day)::int / 8 as place
        from domain_totals t where t.day > '-infinity' offset 0
      ) d
      group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5;
      drop table domain_months;
    `);
  }

  override down(): void {
    this.addSql(/* sql */ `
      create table domain_months (
        campaign_id integer not null, month date not null, domain text not null, sent integer not null,
        is_private boolean not null default false, audience integer not null default 0,
        primary key (campaign_id, is_private, month, domain, audience) include (sent)
      ) with (fillfactor = 80);
      insert into domain_months (campaign_id, is_private, month, domain, audience, sent)
      select campaign_id, is_private, date_trunc('month', day::timestamp)::date, domain, audience, sum(sent)
      from domain_totals where day > '-infinity' and sent <> 0 group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5;
      drop table domain_quarters;
    `);
  }
}

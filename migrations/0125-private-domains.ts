import { Migration } from '@mikro-orm/migrations';
import { COUNTED, happenings, LOCKING, MOVING, moveCells, SIDES } from './0124-private-counts.ts';

/**
 * Keeps the counters by domain and by provider of contacts whom not everyone can see a second time, as private_counts does for the other
 * reports: in the same tables, negated and by who can see them, so that a member's report is a plain sum.
 */
export class PrivateDomains0125 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      drop index domain_totals_domain, domain_totals_largest;
      alter table domain_counts
        -- False for what all contacts count; true for what is taken away from the reports of all members but the audience.
        add column is_private boolean not null default false,
        -- As in private_counts; 0 for all contacts.
        add column audience integer not null default 0,
        drop constraint domain_counts_pkey, add constraint domain_counts_pkey primary key (campaign_id, is_private, day, domain, audience);
      alter table domain_totals
        add column is_private boolean not null default false,
        add column audience integer not null default 0,
        drop constraint domain_totals_pkey, add constraint domain_totals_pkey primary key (campaign_id, is_private, day, domain, audience) include (sent);
      alter table domain_months
        add column is_private boolean not null default false,
        add column audience integer not null default 0,
        drop constraint domain_months_pkey, add constraint domain_months_pkey primary key (campaign_id, is_private, month, domain, audience) include (sent);
      alter table provider_totals
        add column is_private boolean not null default false,
        add column audience integer not null default 0,
        drop constraint provider_totals_pkey, add constraint provider_totals_pkey primary key (campaign_id, is_private, day, provider, audience);
      create index domain_totals_domain on domain_totals (domain, campaign_id, is_private, day);
      create index domain_totals_largest on domain_totals (campaign_id, sent desc, domain collate "C") where day = '-infinity' and not is_private;

      create or replace function move_private_counts() returns trigger language plpgsql as $$
      begin
        ${LOCKING}
        with happened as materialized (${happenings('e.contact_id = new.id')}), cells as (${moveCells('happened')})
        ${privateDomains(`happened h cross join ${SIDES} where side.audience <> 0`, 'side.audience', '-side.sign')}
        on conflict (campaign_id, is_private, day, domain, audience) do update set ${ADDED};
        return null;
      end $$;

      -- The job that sums up domains moves them from there.
      do $$ begin
        ${privateDomains(
          `(${happenings('e.contact_id in (select p.id from contacts p where not p.is_shared_to_all)')}) h join contacts k on k.id = h.contact_id`,
          'contact_audience(null, k.is_shared_to_all, k.created_by)',
          '-1',
        )};
      end $$;
    `);
  }

  override down(): void {
    this.addSql(/* sql */ `
      ${MOVING}
      drop index domain_totals_domain, domain_totals_largest;
      delete from domain_counts where is_private;
      alter table domain_counts drop constraint domain_counts_pkey, add constraint domain_counts_pkey primary key (campaign_id, day, domain),
        drop column is_private, drop column audience;
      delete from domain_totals where is_private;
      alter table domain_totals drop constraint domain_totals_pkey, add constraint domain_totals_pkey primary key (campaign_id, day, domain) include (sent),
        drop column is_private, drop column audience;
      delete from domain_months where is_private;
      alter table domain_months drop constraint domain_months_pkey, add constraint domain_months_pkey primary key (campaign_id, month, domain) include (sent),
        drop column is_private, drop column audience;
      delete from provider_totals where is_private;
      alter table provider_totals drop constraint provider_totals_pkey, add constraint provider_totals_pkey primary key (campaign_id, day, provider),
        drop column is_private, drop column audience;
      create index domain_totals_domain on domain_totals (domain, campaign_id, day);
      create index domain_totals_largest on domain_totals (campaign_id, sent desc, domain collate "C") where day = '-infinity';
    `);
  }
}

const MEASURES = Object.keys(COUNTED);
const ADDED = MEASURES.map((name) => `${name} = r.${name} + excluded.${name}`).join(', ');

/** Inserts what rows `h` count by domain, by day and over all days. */
function privateDomains(rows: string, audience: string, factor: string): string {
  return `
    insert into domain_counts as r (campaign_id, is_private, day, domain, audience, ${MEASURES.join(', ')})
    select campaign_id, true, coalesce(day, '-infinity'), domain, audience, ${MEASURES.map((name) => `sum(${name})`).join(', ')}
    from (select h.campaign_id, h.day, h.domain, ${audience} as audience,
      ${MEASURES.map((name) => `h.${name} * ${factor} as ${name}`).join(', ')} from ${rows}) g
    group by grouping sets ((campaign_id, day, domain, audience), (campaign_id, domain, audience)) order by 1, 2, 3, 4, 5`;
}

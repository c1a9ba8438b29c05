import { Migration } from '@mikro-orm/migrations';

/**
 * Suppressions of whole domains: `@example.com` in `suppressions`, and here the domain as addresses may spell it, in A-labels and in
 * Unicode, by which the check of an address finds it. `parent_domains` gives the domain of an address and those above it.
 */
export class SuppressedDomains0080 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      create table suppressed_domains (
        domain text not null,
        suppression_id integer not null references suppressions on delete cascade,
        primary key (domain, suppression_id)
      );
      create index suppressed_domains_suppression on suppressed_domains (suppression_id);

      create function parent_domains(address text) returns text[] language plpgsql immutable strict parallel safe as $$
      declare
        rest text := lower(split_part(address, '@', 2));
        domains text[] := array[rest];
      begin
        while position('.' in rest) > 0 loop
          rest := substr(rest, position('.' in rest) + 1);
          domains := domains || rest;
        end loop;
        return domains;
      end $$;
    `);
  }

  override down(): void {
    this.addSql(/* sql */ `
      delete from suppressions s using suppressed_domains d where d.suppression_id = s.id;
      drop table suppressed_domains;
      drop function parent_domains(text);
    `);
  }
}

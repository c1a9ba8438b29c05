import { Migration } from '@mikro-orm/migrations';

/**
 * Addresses of erased people, only as a keyed hash: nobody can read them here, and they are still never emailed, whatever is
 * imported later.
 */
export class ErasedAddresses0014 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      create table erased_addresses (
        -- SHA-256 of a key derived from the installation's secret and the address in lower case.
        hash bytea primary key,
        erased_at timestamptz not null
      );
    `);
  }

  override down(): void {
    this.addSql('drop table erased_addresses');
  }
}

import { Migration } from '@mikro-orm/migrations';

/**
 * Keeps the pause of an account whose server could not be reached or asked us to come back later: with it, an outage ends by itself
 * and never pauses the account for a person.
 */
export class ConnectionPauses0038 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      alter table accounts add column connect_after timestamptz, add column connection_error text;
    `);
  }

  override down(): void {
    this.addSql('alter table accounts drop column connect_after, drop column connection_error');
  }
}

import { Migration } from '@mikro-orm/migrations';

/** Which daemon holds a connection to a mailbox whose server tells it what arrives, and until when it is believed to. */
export class IdleLeases0025 extends Migration {
  override up(): void {
    this.addSql('alter table accounts add column idle_worker text, add column idle_lease_until timestamptz');
  }

  override down(): void {
    this.addSql('alter table accounts drop column idle_worker, drop column idle_lease_until');
  }
}

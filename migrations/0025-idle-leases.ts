import { Migration } from '@mikro-orm/migrations';

/** Which daemon watches an account with IDLE, and when its lease expires. */
export class IdleLeases0025 extends Migration {
  override up(): void {
    this.addSql('alter table accounts add column idle_worker text, add column idle_lease_until timestamptz');
  }

  override down(): void {
    this.addSql('alter table accounts drop column idle_worker, drop column idle_lease_until');
  }
}

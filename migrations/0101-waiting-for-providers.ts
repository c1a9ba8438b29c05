import { Migration } from '@mikro-orm/migrations';

/** Takes contacts who wait for their provider out of the way of batches, by a due time after all others. */
export class WaitingForProviders0101 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      drop index enrolments_provider_held;
      update enrolments set due_at = '2200-01-01 00:00:00+00', held_until = null
      where hold_reason like '% (provider_match)' and due_at is not null;
      create index enrolments_without_provider on enrolments (campaign_id) where due_at >= '2200-01-01 00:00:00+00';`);
  }

  override down(): void {
    this.addSql(/* sql */ `
      drop index enrolments_without_provider;
      create index enrolments_provider_held on enrolments (campaign_id) where hold_reason like '% (provider_match)';`);
  }
}

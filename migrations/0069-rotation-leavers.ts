import { Migration } from '@mikro-orm/migrations';

/** Campaigns that left their rotation group: they finish the contacts they have emailed and get no new ones. */
export class RotationLeavers0069 extends Migration {
  override up(): void {
    this.addSql('alter table campaigns add column is_leaving boolean not null default false');
  }

  override down(): void {
    this.addSql('alter table campaigns drop column is_leaving');
  }
}

import { Migration } from '@mikro-orm/migrations';

/**
 * Lets the planner find the first emails of each time zone, instead of reading everything that waits, for campaigns that use
 * their contacts' time zones.
 */
export class ZoneLanes0030 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      create index enrolments_zone on enrolments
        (campaign_id, (coalesce(timezone, '')), (coalesce(variant, 'A')), (last_sent_step > 0), due_at, id)
        where status = 'active' and due_at is not null;
    `);
  }

  override down(): void {
    this.addSql('drop index enrolments_zone');
  }
}

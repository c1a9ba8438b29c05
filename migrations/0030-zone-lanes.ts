import { Migration } from '@mikro-orm/migrations';

/**
 * Lets the planner ask each time zone of a campaign for its first mails instead of reading all that waits, where a
 * campaign goes by its contacts' own zones.
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

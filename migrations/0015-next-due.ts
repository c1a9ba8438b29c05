import { Migration } from '@mikro-orm/migrations';

/**
 * Lets the planner find the next email of a campaign as the first entry of an index, instead of reading everything that waits:
 * one index for each variant of an A/B test, and one for the few held enrolments.
 */
export class NextDue0015 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      create index enrolments_next on enrolments (campaign_id, due_at)
        where status = 'active' and due_at is not null and variant is distinct from 'B';
      create index enrolments_next_b on enrolments (campaign_id, due_at)
        where status = 'active' and due_at is not null and variant = 'B';
      create index enrolments_held on enrolments (campaign_id, held_until)
        where status = 'active' and due_at is not null and held_until is not null;
    `);
  }

  override down(): void {
    this.addSql('drop index enrolments_next, enrolments_next_b, enrolments_held');
  }
}

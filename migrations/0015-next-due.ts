import { Migration } from '@mikro-orm/migrations';

/**
 * Lets the planner find the next mail of a campaign by its first index entry instead of reading all that waits: one
 * index for each group of an A/B test, and one for the few that are held.
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

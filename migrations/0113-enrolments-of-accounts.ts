import { Migration } from '@mikro-orm/migrations';

/**
 * Which campaigns an account still serves is looked up for every batch. The index of it held everything that is active, as others do, so
 * that PostgreSQL could take one of those for as good and read it whole. Now it holds what has an account of its own, which no other does;
 * first emails have none, and change one index less.
 */
export class EnrolmentsOfAccounts0113 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      drop index enrolments_account;
      create index enrolments_account on enrolments (account_id, campaign_id) where account_id is not null and due_at is not null;
    `);
  }

  override down(): void {
    this.addSql(/* sql */ `
      drop index enrolments_account;
      create index enrolments_account on enrolments (account_id, campaign_id) where status = 'active' and due_at is not null;
    `);
  }
}

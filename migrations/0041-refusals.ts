import { Migration } from '@mikro-orm/migrations';

/**
 * Counts refusals as unwanted among the last 50 emails of an account, and not only in a row: the marks are the number of emails that the
 * account had sent at its latest ones.
 */
export class Refusals0041 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      alter table accounts add column refusal_marks integer[] not null default '{}';
      alter table accounts drop column refusals;
    `);
  }

  override down(): void {
    this.addSql(/* sql */ `
      alter table accounts add column refusals integer not null default 0;
      alter table accounts drop column refusal_marks;
    `);
  }
}

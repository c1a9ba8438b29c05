import { Migration } from '@mikro-orm/migrations';

/**
 * Lets a campaign go on after an email whose delivery is unknown, and keeps with such an email that its sequence went on, so that a
 * later proof records the email without moving the sequence again.
 */
export class WhenUnknown0040 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      alter table campaigns add column when_unknown text not null default 'wait' check (when_unknown in ('wait', 'continue'));
      alter table outbox add column continued_at timestamptz;
    `);
  }

  override down(): void {
    this.addSql('alter table outbox drop column continued_at; alter table campaigns drop column when_unknown');
  }
}

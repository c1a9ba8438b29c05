import { Migration } from '@mikro-orm/migrations';

/** Indexes for what retention removes from inbound messages: both shrink again as it does. */
export class Retention0048 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      create index inbound_messages_unrelated on inbound_messages (created_at) where enrolment_id is null;
      create index inbound_messages_text on inbound_messages (created_at)
        where enrolment_id is not null and (sender is not null or subject is not null or snippet is not null);
    `);
  }

  override down(): void {
    this.addSql('drop index inbound_messages_unrelated, inbound_messages_text');
  }
}

import { Migration } from '@mikro-orm/migrations';

/**
 * Keeps with an inbound message the email that it is about, so that an email whose delivery is unknown can be settled by it; and with
 * an account the folders that are polled beside the usual ones.
 */
export class AnsweredEmails0033 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      alter table inbound_messages add column outbox_id bigint;
      create index inbound_messages_email on inbound_messages (outbox_id) where outbox_id is not null;
      alter table accounts add column folders text;
    `);
  }

  override down(): void {
    this.addSql('alter table accounts drop column folders; alter table inbound_messages drop column outbox_id');
  }
}

import { Migration } from '@mikro-orm/migrations';

/**
 * Counts the tries at reading a large message, so that one that ends the daemon is not read for ever; and finds the messages of an
 * account that could not be read.
 */
export class ReadingTries0053 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      create table reading_tries (
        account_id integer not null references accounts,
        folder text not null,
        uid_validity bigint not null,
        uid bigint not null,
        tries smallint not null default 1,
        primary key (account_id, folder, uid_validity, uid)
      );
      create index inbound_messages_unreadable on inbound_messages (account_id) where verdict = 'unreadable';
    `);
  }

  override down(): void {
    this.addSql('drop index inbound_messages_unreadable; drop table reading_tries');
  }
}

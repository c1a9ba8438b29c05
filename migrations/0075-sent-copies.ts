import { Migration } from '@mikro-orm/migrations';

/**
 * Copies of answers that are still to be put into the Sent folder of their account, each as it was sent. An account says who files
 * them, and remembers what was found out about its server.
 */
export class SentCopies0075 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      create table sent_copies (
        outbox_id bigint primary key references outbox,
        message bytea not null,
        -- Null until the answer is known to be sent.
        due_at timestamptz,
        tries integer not null default 0,
        lease_until timestamptz,
        -- An APPEND was begun: a copy in the folder may be ours.
        begun_at timestamptz
      );
      create index sent_copies_due on sent_copies (due_at) where due_at is not null;

      alter table accounts add column sent_copy text not null default 'auto' check (sent_copy in ('auto', 'append', 'never')),
        add column server_files_sent boolean, add column sent_copy_error text;
    `);
  }

  override down(): void {
    this.addSql(/* sql */ `
      alter table accounts drop column sent_copy, drop column server_files_sent, drop column sent_copy_error;
      drop table sent_copies;
    `);
  }
}

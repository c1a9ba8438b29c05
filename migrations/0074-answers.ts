import { Migration } from '@mikro-orm/migrations';

/**
 * Answers to replies: emails of the outbox that are no step of a sequence, but belong to the reply that they answer. A table of their own
 * has what they say, and when each is due.
 */
export class Answers0074 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      alter table outbox alter column step_id drop not null, add column reply_id integer references replies,
        add constraint outbox_step_or_reply check ((step_id is null) <> (reply_id is null));
      create index outbox_answers on outbox (reply_id) where reply_id is not null;
      create index outbox_answers_open on outbox (account_id) where reply_id is not null and closed_at is null;

      create table answers (
        outbox_id bigint primary key references outbox,
        body_html text not null,
        -- Sent although the address is suppressed.
        despite_suppression boolean not null,
        due_at timestamptz not null,
        created_by integer references users,
        created_at timestamptz not null
      );

      -- The Message-ID of the reply, which its answer names.
      alter table replies add column message_id text;
      update replies r set message_id = m.message_id from inbound_messages m where m.id = r.inbound_id and m.message_id like '<%';
    `);
  }

  override down(): void {
    this.addSql(/* sql */ `
      alter table replies drop column message_id;
      drop table answers;
      delete from outbox where step_id is null;
      alter table outbox drop column reply_id, alter column step_id set not null;
    `);
  }
}

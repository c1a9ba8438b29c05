import { Migration } from '@mikro-orm/migrations';

/** At the end of a poll: does a running campaign await replies in this mailbox? */
export class ReplyAddresses0090 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      create index campaigns_reply_to on campaigns (workspace_id, lower(reply_to))
        where reply_to is not null and status = 'active' and deleted_at is null
    `);
  }

  override down(): void {
    this.addSql(/* sql */ 'drop index campaigns_reply_to');
  }
}

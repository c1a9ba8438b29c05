import { Migration } from '@mikro-orm/migrations';

/** Whose mailbox may get replies is asked by its address: of the accounts that have it, and of the campaigns whose replies go there. */
export class MailboxesOfCampaigns0114 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      drop index campaigns_reply_to;
      create index campaigns_reply_to on campaigns (workspace_id, lower(reply_to)) where reply_to is not null and deleted_at is null;
      create index accounts_mailbox on accounts (workspace_id, lower(email));
    `);
  }

  override down(): void {
    this.addSql(/* sql */ `
      drop index accounts_mailbox;
      drop index campaigns_reply_to;
      create index campaigns_reply_to on campaigns (workspace_id, lower(reply_to))
        where reply_to is not null and status = 'active' and deleted_at is null;
    `);
  }
}

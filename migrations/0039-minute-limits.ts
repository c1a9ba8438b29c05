import { Migration } from '@mikro-orm/migrations';

/**
 * Limits what an account sends in a minute. Exchange Online takes 30 messages a minute from a mailbox and defers the rest
 * (learn.microsoft.com, "Exchange Online limits", message rate limit), so accounts there get that limit.
 */
export class MinuteLimits0039 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      alter table accounts add column minute_send_limit integer check (minute_send_limit > 0);
      update accounts set minute_send_limit = 30 where smtp->>'host' in ('smtp.office365.com', 'smtp-mail.outlook.com');
    `);
  }

  override down(): void {
    this.addSql('alter table accounts drop column minute_send_limit');
  }
}

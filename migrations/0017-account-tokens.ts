import { Migration } from '@mikro-orm/migrations';

/** Mailboxes that are entered by OAuth 2.0: when their access token runs out, and who is renewing it. */
export class AccountTokens0017 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      alter table accounts
        -- Null where a password is used. The tokens themselves lie sealed in smtp_secret, for both servers.
        add column token_expires_at timestamptz,
        add column token_lease_until timestamptz;
      create index accounts_tokens on accounts (token_expires_at) where token_expires_at is not null and deleted_at is null;
    `);
  }

  override down(): void {
    this.addSql('drop index accounts_tokens; alter table accounts drop column token_expires_at, drop column token_lease_until');
  }
}

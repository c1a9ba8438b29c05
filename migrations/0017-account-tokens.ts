import { Migration } from '@mikro-orm/migrations';

/** OAuth 2.0: when the access token of an account expires, and who is renewing it. */
export class AccountTokens0017 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      alter table accounts
        -- Null if a password is used. The tokens are encrypted in smtp_secret, for both servers.
        add column token_expires_at timestamptz,
        add column token_lease_until timestamptz;
      create index accounts_tokens on accounts (token_expires_at) where token_expires_at is not null and deleted_at is null;
    `);
  }

  override down(): void {
    this.addSql('drop index accounts_tokens; alter table accounts drop column token_expires_at, drop column token_lease_until');
  }
}

import { Migration } from '@mikro-orm/migrations';

/**
 * Marks the point from which the credentials of an account are bound to its servers: the program, which has the secret, reseals
 * them in the same transaction (src/maintenance/bind-credentials.ts).
 */
export class BoundCredentials0057 extends Migration {
  override up(): void {
    this.addSql(
      `comment on column accounts.smtp_secret is 'bound to provider and smtp'; comment on column accounts.imap_secret is 'bound to imap'`,
    );
  }

  override down(): void {
    this.addSql('comment on column accounts.smtp_secret is null; comment on column accounts.imap_secret is null');
  }
}

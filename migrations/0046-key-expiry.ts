import { Migration } from '@mikro-orm/migrations';

/** When an API key expires, and when it was last used, to the hour. */
export class KeyExpiry0046 extends Migration {
  override up(): void {
    this.addSql('alter table api_keys add column expires_at timestamptz, add column last_used_at timestamptz');
  }

  override down(): void {
    this.addSql('alter table api_keys drop column expires_at, drop column last_used_at');
  }
}

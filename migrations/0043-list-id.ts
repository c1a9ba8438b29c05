import { Migration } from '@mikro-orm/migrations';

/** The List-Id (RFC 2919) that an account's emails have, where their sender wants one. */
export class ListId0043 extends Migration {
  override up(): void {
    this.addSql('alter table accounts add column list_id text');
  }

  override down(): void {
    this.addSql('alter table accounts drop column list_id');
  }
}

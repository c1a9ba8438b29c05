import { Migration } from '@mikro-orm/migrations';

/** Tags of accounts, by which commands choose several. */
export class AccountTags0081 extends Migration {
  override up(): void {
    this.addSql(`alter table accounts add column tags text[] not null default '{}'`);
  }

  override down(): void {
    this.addSql('alter table accounts drop column tags');
  }
}

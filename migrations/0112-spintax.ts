import { Migration } from '@mikro-orm/migrations';

/** Choices `{a|b}` are taken in the campaigns that ask for it; in the others they are text, as they were. */
export class Spintax0112 extends Migration {
  override up(): void {
    this.addSql(/* sql */ 'alter table campaigns add column spintax boolean not null default false');
  }

  override down(): void {
    this.addSql(/* sql */ 'alter table campaigns drop column spintax');
  }
}

import { Migration } from '@mikro-orm/migrations';

/** Lets a campaign leave out contacts who are in another one. */
export class DuplicateGuard0094 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      alter table campaigns add column skip_if_in_campaign text not null default 'none' check (skip_if_in_campaign in ('none', 'active', 'any'))`);
  }

  override down(): void {
    this.addSql('alter table campaigns drop column skip_if_in_campaign');
  }
}

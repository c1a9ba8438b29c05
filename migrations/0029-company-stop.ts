import { Migration } from '@mikro-orm/migrations';

/** Whether the reply of one contact ends a campaign for the others of the same company. */
export class CompanyStop0029 extends Migration {
  override up(): void {
    this.addSql('alter table campaigns add column stop_company boolean not null default false');
  }

  override down(): void {
    this.addSql('alter table campaigns drop column stop_company');
  }
}

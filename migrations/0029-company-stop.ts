import { Migration } from '@mikro-orm/migrations';

/** Lets the reply of one contact stop the enrolments of everyone else at the same company. */
export class CompanyStop0029 extends Migration {
  override up(): void {
    this.addSql('alter table campaigns add column stop_company boolean not null default false');
  }

  override down(): void {
    this.addSql('alter table campaigns drop column stop_company');
  }
}

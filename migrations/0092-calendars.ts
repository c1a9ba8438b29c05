import { Migration } from '@mikro-orm/migrations';

/**
 * When a campaign sends: further hours of its days, such as `14-17`; the region whose public holidays are no sending days; waits in
 * hours, added to the days, and in business days.
 */
export class Calendars0092 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      alter table campaigns add column more_hours text[] not null default '{}', add column holidays text;
      alter table steps add column wait_hours integer not null default 0 check (wait_hours between 0 and 720),
        add column business_days boolean not null default false;
    `);
  }

  override down(): void {
    this.addSql(/* sql */ `
      alter table steps drop column business_days, drop column wait_hours;
      alter table campaigns drop column holidays, drop column more_hours;
    `);
  }
}

import { Migration } from '@mikro-orm/migrations';

/**
 * Keeps with an enrolment why the email of its step can't be written, and the version of the content that was tried, so that it
 * is held until that content changes.
 */
export class ContentHolds0034 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      alter table enrolments add column content_fault text, add column content_version text;
      create index enrolments_content_held on enrolments (campaign_id) where content_fault is not null;
    `);
  }

  override down(): void {
    this.addSql(/* sql */ `
      update enrolments set due_at = now() where content_fault is not null and status = 'active' and due_at is null;
      alter table enrolments drop column content_version, drop column content_fault;
    `);
  }
}

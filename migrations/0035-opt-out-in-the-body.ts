import { Migration } from '@mikro-orm/migrations';

/** The postal address and the footer of a workspace, and whether the emails of a campaign get the footer. */
export class OptOutInTheBody0035 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      alter table workspaces add column postal_address text, add column footer_html text;
      alter table campaigns add column footer boolean not null default true;
    `);
  }

  override down(): void {
    this.addSql('alter table campaigns drop column footer; alter table workspaces drop column footer_html, drop column postal_address');
  }
}

import { Migration } from '@mikro-orm/migrations';

/**
 * Indexes of Smart Search for domain, creator and age. Each ends in the id or is small, so that pages and totals of ordinary
 * queries are index-only scans.
 */
export class Search0007 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      create index contacts_domain on contacts (workspace_id, lower(split_part(email, '@', 2)) text_pattern_ops) where deleted_at is null;
      create index contacts_created on contacts (workspace_id, created_at, id) where deleted_at is null and not is_archived;
      create index contacts_owner on contacts (workspace_id, created_by, id) where deleted_at is null and not is_archived;
    `);
  }

  override down(): void {
    this.addSql('drop index contacts_domain, contacts_created, contacts_owner');
  }
}

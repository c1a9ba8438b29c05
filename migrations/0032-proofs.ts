import { Migration } from '@mikro-orm/migrations';

/**
 * Keeps with every inbound message what it proved and who wrote it, and lets a suppression hold in its workspace alone: a bounce
 * that proves nothing must not keep other workspaces from an address.
 */
export class Proofs0032 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      alter table inbound_messages add column proof text, add column writer text;
      alter table suppressions add column workspace_only boolean not null default false;
    `);
  }

  override down(): void {
    this.addSql('alter table suppressions drop column workspace_only; alter table inbound_messages drop column proof, drop column writer');
  }
}

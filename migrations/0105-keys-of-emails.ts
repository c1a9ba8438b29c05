import { Migration } from '@mikro-orm/migrations';

/**
 * Emails and events keep the foreign key to their enrolment and lose those that it implies: their other columns are copied from rows that
 * the same transaction reads, and none of these rows is ever deleted. See docs/decisions/one-foreign-key-for-an-email.md.
 */
export class KeysOfEmails0105 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      alter table outbox drop constraint outbox_workspace_id_fkey, drop constraint outbox_campaign_id_fkey,
        drop constraint outbox_contact_id_fkey, drop constraint outbox_account_id_fkey, drop constraint outbox_step_id_fkey;
      alter table events drop constraint events_workspace_id_fkey, drop constraint events_campaign_id_fkey,
        drop constraint events_contact_id_fkey;
    `);
  }

  override down(): void {
    this.addSql(/* sql */ `
      alter table outbox add constraint outbox_workspace_id_fkey foreign key (workspace_id) references workspaces,
        add constraint outbox_campaign_id_fkey foreign key (campaign_id) references campaigns,
        add constraint outbox_contact_id_fkey foreign key (contact_id) references contacts,
        add constraint outbox_account_id_fkey foreign key (account_id) references accounts,
        add constraint outbox_step_id_fkey foreign key (step_id) references steps;
      alter table events add constraint events_workspace_id_fkey foreign key (workspace_id) references workspaces,
        add constraint events_campaign_id_fkey foreign key (campaign_id) references campaigns,
        add constraint events_contact_id_fkey foreign key (contact_id) references contacts;
    `);
  }
}

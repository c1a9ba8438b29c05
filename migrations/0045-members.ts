import { Migration } from '@mikro-orm/migrations';

/** The name of a member in one workspace, and the workspace that an invitation is for. */
export class Members0045 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      -- As given by whoever added a user with an account; null for the user's own name.
      alter table memberships add column name text;
      -- Accepting the invitation creates a key of this workspace.
      alter table users add column invite_workspace_id integer references workspaces;
      update users u set invite_workspace_id = (
        select m.workspace_id from memberships m where m.user_id = u.id order by m.created_at, m.workspace_id limit 1)
        where u.invited_at is not null;
      create index users_invited on users (invite_workspace_id, invited_at) where invited_at is not null;
    `);
  }

  override down(): void {
    this.addSql('alter table users drop column invite_workspace_id; alter table memberships drop column name');
  }
}

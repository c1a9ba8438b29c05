import { Args } from '@oclif/core';
import { findUserByEmail, removeUser } from '../../src/access/index.ts';
import { OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';
import { quantity } from '../../src/core/english.ts';

export default class UserRemove extends OutreachCommand {
  static override description = `Remove a user from a workspace

Revokes their API keys of that workspace and removes what was shared with them there. What they created stays; their other workspaces \
are not affected. The last enabled admin of a workspace can't be removed.`;
  static override examples = ['<%= config.bin %> user remove ada@example.com --workspace Acme'];
  static override args = { email: Args.string({ required: true, description: 'email address of the user' }) };
  static override flags = { workspace: workspaceFlag };

  async run() {
    const { args, flags } = await this.parse(UserRemove);
    const { user, revokedKeys, shares, workspaceId } = await this.withApp(flags, async (app) => {
      const caller = await this.operatorIn(app, flags.workspace);
      const { id } = await findUserByEmail(app.db, args.email);
      return { ...(await removeUser(app, caller, id)), workspaceId: caller.workspaceId };
    });
    this.log(`${user.email} was removed from workspace ${workspaceId}; ${quantity(revokedKeys.length, 'API key')} revoked.`);
    return { id: user.id, email: user.email, workspace_id: workspaceId, revoked_keys: revokedKeys, removed_shares: shares };
  }
}

import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { findMember } from '../../src/cli/client/users.ts';
import { quantity } from '../../src/core/english.ts';

export default class UserRemove extends ClientCommand {
  static override description = `Remove a user from a workspace

Revokes their API keys of that workspace and removes what was shared with them there. What they created stays; their other workspaces \
are not affected. The last enabled admin of a workspace can't be removed.`;
  static override examples = ['<%= config.bin %> user remove ada@example.com --workspace Acme'];
  static override args = { email: Args.string({ required: true, description: 'email address of the user' }) };

  async run() {
    const { args, flags } = await this.parse(UserRemove);
    const api = await this.client(flags);
    const [{ id, email }, { id: workspaceId }] = await Promise.all([findMember(api, args.email), api.access.workspace.query({})]);
    const { revoked_keys, removed_shares } = await api.users.remove.mutate({ id });
    this.log(`${email} was removed from workspace ${workspaceId}; ${quantity(revoked_keys.length, 'API key')} revoked.`);
    return { id, email, workspace_id: workspaceId, revoked_keys, removed_shares };
  }
}

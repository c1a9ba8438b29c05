import { Args } from '@oclif/core';
import { findUserByEmail, operator, renewInvite } from '../../src/access/index.ts';
import { OutreachCommand } from '../../src/cli/command.ts';

export default class UserInvite extends OutreachCommand {
  static override description = `make a new invitation for a person who has not used theirs; the old link ends`;
  static override examples = ['<%= config.bin %> user invite ada@example.com'];
  static override args = { email: Args.string({ required: true, description: 'address of the person' }) };

  async run() {
    const { args, flags } = await this.parse(UserInvite);
    const { user, inviteLink } = await this.withApp(flags, async (app) => {
      const { id, workspace_id: workspaceId } = await findUserByEmail(app.db, args.email);
      return renewInvite(app, operator(workspaceId), id);
    });
    this.log(inviteLink === null ? `A new invitation was mailed to ${user.email}.` : `Invitation, shown this once: ${inviteLink}`);
    return { ...user, invite_link: inviteLink };
  }
}

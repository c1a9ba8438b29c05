import { Args } from '@oclif/core';
import { findUserByEmail, operator, renewInvite } from '../../src/access/index.ts';
import { OutreachCommand } from '../../src/cli/command.ts';

export default class UserInvite extends OutreachCommand {
  static override description = 'Renew an invitation that was not accepted yet\n\nThe old link stops working.';
  static override examples = ['<%= config.bin %> user invite ada@example.com'];
  static override args = { email: Args.string({ required: true, description: 'email address of the user' }) };

  async run() {
    const { args, flags } = await this.parse(UserInvite);
    const { user, inviteLink } = await this.withApp(flags, async (app) => {
      const { id, workspace_id: first, invite_workspace_id: invitedTo } = await findUserByEmail(app.db, args.email);
      return renewInvite(app, operator(invitedTo ?? first), id);
    });
    this.log(inviteLink === null ? `A new invitation was emailed to ${user.email}.` : `Invitation link, shown only once: ${inviteLink}`);
    return { ...user, invite_link: inviteLink };
  }
}

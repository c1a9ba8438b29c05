import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';

export default class UserInvite extends ClientCommand {
  static override description = 'Renew an invitation that was not accepted yet\n\nThe old link stops working.';
  static override examples = ['<%= config.bin %> user invite ada@example.com'];
  static override args = { email: Args.string({ required: true, description: 'email address of the user' }) };

  async run() {
    const { args, flags } = await this.parse(UserInvite);
    const api = await this.client(flags);
    const invited = await api.people.invite.mutate({ email: args.email });
    const { email, invite_link: link } = invited;
    this.log(link === null ? `A new invitation was emailed to ${email}.` : `Invitation link, shown only once: ${link}`);
    return invited;
  }
}

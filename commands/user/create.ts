import { Args, Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { ROLES } from '../../src/cli/client/users.ts';
import { describeUser } from '../../src/cli/describe/user.ts';

export default class UserCreate extends ClientCommand {
  static override description = `Add a user to a workspace

Invites a new user by email if system email is configured; otherwise prints the invitation link, only once.`;
  static override examples = ['<%= config.bin %> user create ada@example.com --name Ada --role manager'];
  static override args = { email: Args.string({ required: true, description: 'email address of the user' }) };
  static override flags = {
    name: Flags.string({ description: 'name of the user; somebody who is a user already keeps theirs', helpValue: 'N' }),
    role: Flags.option({ options: ROLES, description: 'role of the user in the workspace', required: true })(),
  };

  async run() {
    const { args, flags } = await this.parse(UserCreate);
    const api = await this.client(flags);
    const {
      invite_link: link,
      is_emailed: isEmailed,
      ...user
    } = await api.people.add.mutate({ email: args.email, name: flags.name, role: flags.role });
    this.logLine(describeUser(user));
    if (isEmailed) this.log(`\nThe invitation was emailed to ${user.email}; it is valid for 14 days.`);
    if (link !== null) this.log(`\nInvitation link, valid for 14 days and shown only once: ${link}`);
    if (user.pending_invite) this.log('With the key on its page they log in: outreach login, then outreach dashboard.');
    else this.tell(`To create an API key for them, run: outreach key create NAME --user ${user.email}`);
    return { ...user, invite_link: link };
  }
}

import { Args, Flags } from '@oclif/core';
import { inviteUser, ROLES } from '../../src/access/index.ts';
import { OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';
import { record } from '../../src/cli/table.ts';

export default class UserCreate extends OutreachCommand {
  static override description = `give a person access to a workspace

A new address is invited: by mail where system mail is configured, else by the link that is printed this once.`;
  static override examples = ['<%= config.bin %> user create ada@example.com --name Ada --role manager'];
  static override args = { email: Args.string({ required: true, description: 'address of the person' }) };
  static override flags = {
    name: Flags.string({ description: 'name of the person', required: true, helpValue: 'N' }),
    role: Flags.option({ options: ROLES, description: 'what the person may do', required: true })(),
    workspace: workspaceFlag,
  };

  async run() {
    const { args, flags } = await this.parse(UserCreate);
    const { user, inviteLink } = await this.withApp(flags, async (app) => {
      const caller = await this.operatorIn(app, flags.workspace);
      return inviteUser(app, caller, { email: args.email, name: flags.name, role: flags.role });
    });
    this.log(record(user));
    if (inviteLink !== null) this.log(`\nInvitation, for 14 days and shown this once: ${inviteLink}`);
    this.log(`\nA key can also be made here: outreach key create NAME --user ${user.email}`);
    return { ...user, invite_link: inviteLink };
  }
}

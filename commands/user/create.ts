import { Args, Flags } from '@oclif/core';
import { addUser, getUser, ROLES } from '../../src/access/index.ts';
import { OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';
import { record } from '../../src/cli/table.ts';

export default class UserCreate extends OutreachCommand {
  static override description = 'give a person access to a workspace';
  static override examples = ['<%= config.bin %> user create ada@example.com --name Ada --role manager'];
  static override args = { email: Args.string({ required: true, description: 'address of the person' }) };
  static override flags = {
    name: Flags.string({ description: 'name of the person', required: true, helpValue: 'N' }),
    role: Flags.option({ options: ROLES, description: 'what the person may do', required: true })(),
    workspace: workspaceFlag,
  };

  async run() {
    const { args, flags } = await this.parse(UserCreate);
    const user = await this.withApp(flags, async (app) => {
      const caller = await this.operatorIn(app, flags.workspace);
      const { id } = await app.db.tx((tx) => addUser(tx, app, caller, { email: args.email, name: flags.name, role: flags.role }));
      return getUser(app.db, caller, id);
    });
    this.log(`${record(user)}\n\nNext: outreach key create NAME --user ${user.email}`);
    return user;
  }
}

import { Args, Flags } from '@oclif/core';
import { createMemberKey, findUserByEmail, findWorkspace } from '../../src/access/index.ts';
import { OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';
import { record } from '../../src/cli/table.ts';

export default class KeyCreate extends OutreachCommand {
  static override description = 'Create an API key for a user\n\nThe key is shown only once.';
  static override examples = ['<%= config.bin %> key create "nightly sync" --user ada@example.com'];
  static override args = { name: Args.string({ required: true, description: 'name of the key, for example "nightly sync"' }) };
  static override flags = {
    user: Flags.string({ description: 'email address of the user the key acts as', required: true, helpValue: 'EMAIL' }),
    workspace: workspaceFlag,
  };

  async run() {
    const { args, flags } = await this.parse(KeyCreate);
    const result = await this.withApp(flags, async (app) => {
      const workspace = await findWorkspace(app.db, flags.workspace);
      const user = await findUserByEmail(app.db, flags.user);
      const { id, key } = await createMemberKey(app, workspace, user, args.name);
      return { id, name: args.name.trim(), user_id: user.id, workspace_id: workspace.id, key };
    });
    this.log(record(result));
    return result;
  }
}

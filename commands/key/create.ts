import { Args, Flags } from '@oclif/core';
import { createKey, findUserByEmail, findWorkspace, Membership, operator } from '../../src/access/index.ts';
import { OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';
import { record } from '../../src/cli/table.ts';
import { conflict } from '../../src/core/errors.ts';

export default class KeyCreate extends OutreachCommand {
  static override description = 'make an API key for a person; it is shown this once';
  static override examples = ['<%= config.bin %> key create "nightly sync" --user ada@example.com'];
  static override args = { name: Args.string({ required: true, description: 'what the key is for' }) };
  static override flags = {
    user: Flags.string({ description: 'address of the person the key acts as', required: true, helpValue: 'EMAIL' }),
    workspace: workspaceFlag,
  };

  async run() {
    const { args, flags } = await this.parse(KeyCreate);
    const result = await this.withApp(flags, async (app) => {
      const workspace = await findWorkspace(app.db, flags.workspace);
      const user = await findUserByEmail(app.db, flags.user);
      return app.db.tx(async (tx) => {
        if ((await tx.em.count(Membership, { workspace_id: workspace.id, user_id: user.id })) === 0)
          throw conflict(`${user.email} is no member of workspace "${workspace.name}"; add them with: outreach user create`);
        const { id, key } = await createKey(tx, app, operator(workspace.id), {
          name: args.name,
          userId: user.id,
          workspaceId: workspace.id,
        });
        return { id, name: args.name.trim(), user_id: user.id, workspace_id: workspace.id, key };
      });
    });
    this.log(record(result));
    return result;
  }
}

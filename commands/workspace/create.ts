import { Args, Flags } from '@oclif/core';
import { createWorkspace, getWorkspace, operator } from '../../src/access/index.ts';
import { quoted } from '../../src/cli/client/hint.ts';
import { OutreachCommand } from '../../src/cli/command.ts';

export default class WorkspaceCreate extends OutreachCommand {
  static override description = 'Create a workspace\n\nA workspace has its own contacts, campaigns, accounts and users.';
  static override examples = ['<%= config.bin %> workspace create "Acme" --timezone Europe/Berlin'];
  static override args = { name: Args.string({ required: true, description: 'name, unique among workspaces that are not archived' }) };
  static override flags = {
    timezone: Flags.string({ description: 'default time zone of new campaigns, such as Europe/Berlin', helpValue: 'Z' }),
  };

  async run() {
    const { args, flags } = await this.parse(WorkspaceCreate);
    const workspace = await this.withApp(flags, async (app) => {
      const input = { name: args.name, timezone: flags.timezone ?? null };
      const id = await app.db.tx((tx) => createWorkspace(tx, app, null, input));
      return getWorkspace(app.db, operator(id));
    });
    this.log(`Workspace ${workspace.id} "${workspace.name}" was created.`);
    if (!this.jsonEnabled())
      this.log(
        `It has no members yet; add one with: outreach user create ADDRESS --name NAME --role admin --workspace ${quoted(workspace.name)}`,
      );
    return workspace;
  }
}

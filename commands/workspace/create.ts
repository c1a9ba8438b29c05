import { Args, Flags } from '@oclif/core';
import { createWorkspace } from '../../src/access/index.ts';
import { OutreachCommand } from '../../src/cli/command.ts';

export default class WorkspaceCreate extends OutreachCommand {
  static override description = 'make a workspace, an isolated scope with its own contacts, campaigns and mailboxes';
  static override examples = ['<%= config.bin %> workspace create "Acme" --timezone Europe/Berlin'];
  static override args = { name: Args.string({ required: true, description: 'name, unique among live workspaces' }) };
  static override flags = { timezone: Flags.string({ description: 'zone of new campaigns', helpValue: 'Z' }) };

  async run() {
    const { args, flags } = await this.parse(WorkspaceCreate);
    const id = await this.withApp(flags, (app) =>
      app.db.tx((tx) => createWorkspace(tx, app, null, { name: args.name, timezone: flags.timezone ?? null })),
    );
    this.log(`Workspace ${id} "${args.name.trim()}" is made.`);
    return { id, name: args.name.trim() };
  }
}

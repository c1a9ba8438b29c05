import { Args } from '@oclif/core';
import { findWorkspace } from '../../src/access/index.ts';
import { OutreachCommand } from '../../src/cli/command.ts';
import { chooseWorkspace } from '../../src/cli/current-workspace.ts';

export default class WorkspaceUse extends OutreachCommand {
  static override description = `Choose the workspace that commands work in from now on

Holds for you, on this installation. OUTREACH_WORKSPACE and --workspace name another for a shell or a command. A server has no current \
workspace: a key works in its own.`;
  static override examples = ['<%= config.bin %> workspace use Acme'];
  static override args = { workspace: Args.string({ required: true, description: 'id or name of the workspace' }) };

  async run() {
    const { args, flags } = await this.parse(WorkspaceUse);
    const workspace = await this.withApp(flags, (app) => findWorkspace(app.db, args.workspace));
    chooseWorkspace(this.settings(flags).dataDir, workspace.id);
    this.logLine(`Commands now work in workspace "${workspace.name}".`);
    return workspace;
  }
}

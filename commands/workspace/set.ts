import { Args, Flags } from '@oclif/core';
import { setWorkspace } from '../../src/access/index.ts';
import { OutreachCommand } from '../../src/cli/command.ts';
import { record } from '../../src/cli/table.ts';
import { invalid } from '../../src/core/errors.ts';

export default class WorkspaceSet extends OutreachCommand {
  static override description = `Change the settings of a workspace

The time zone is the default of new campaigns; those that exist keep theirs.`;
  static override examples = [
    '<%= config.bin %> workspace set Acme --timezone Europe/Berlin',
    '<%= config.bin %> workspace set 2 --name "Acme Europe"',
  ];
  static override args = { workspace: Args.string({ required: true, description: 'id or name of the workspace' }) };
  static override flags = {
    name: Flags.string({ description: 'new name, unique among workspaces that are not archived', helpValue: 'N' }),
    timezone: Flags.string({ description: 'default time zone of new campaigns, such as Europe/Berlin', helpValue: 'Z' }),
  };

  async run() {
    const { args, flags } = await this.parse(WorkspaceSet);
    const settings = { name: flags.name, timezone: flags.timezone };
    if (Object.values(settings).every((value) => value === undefined))
      throw invalid('nothing to change; see: outreach workspace set --help');
    const workspace = await this.withApp(flags, async (app) => setWorkspace(app, await this.operatorIn(app, args.workspace), settings));
    this.log(record(workspace));
    return workspace;
  }
}

import { Flags } from '@oclif/core';
import { OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';
import { table } from '../../src/cli/table.ts';

export default class CallList extends OutreachCommand {
  static override description = 'List calls that are due';
  static override examples = ['<%= config.bin %> call list'];
  static override flags = {
    all: Flags.boolean({ description: 'include calls that are done, skipped or cancelled' }),
    workspace: workspaceFlag,
  };

  async run() {
    const { flags } = await this.parse(CallList);
    const { listCalls } = await import('../../src/campaigns/index.ts');
    const calls = await this.withApp(flags, async (app) =>
      listCalls(app.db, await this.operatorIn(app, flags.workspace), { all: flags.all }),
    );
    this.log(table(calls, ['id', 'status', 'due_at', 'name', 'email', 'company', 'campaign_name', 'notes']));
    return { data: calls };
  }
}

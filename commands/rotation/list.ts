import { OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';
import { table } from '../../src/cli/table.ts';

export default class RotationList extends OutreachCommand {
  static override description = 'List rotation groups';
  static override examples = ['<%= config.bin %> rotation list'];
  static override flags = { workspace: workspaceFlag };

  async run() {
    const { flags } = await this.parse(RotationList);
    const { listRotations } = await import('../../src/campaigns/index.ts');
    const { data } = await this.withApp(flags, async (app) =>
      listRotations(app.db, await this.operatorIn(app, flags.workspace), { limit: 200, offset: 0 }),
    );
    this.log(table(data, ['id', 'name', 'campaigns', 'contacts', 'created_at']));
    return { data };
  }
}

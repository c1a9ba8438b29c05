import { Args } from '@oclif/core';
import { idArgument } from '../../src/cli/argument.ts';
import { OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';
import { table } from '../../src/cli/table.ts';

export default class RotationShow extends OutreachCommand {
  static override description = 'Show the campaigns of a rotation group with their accounts and counts';
  static override examples = ['<%= config.bin %> rotation show 2'];
  static override args = { id: Args.string({ required: true, description: 'id of the rotation group' }) };
  static override flags = { workspace: workspaceFlag };

  async run() {
    const { args, flags } = await this.parse(RotationShow);
    const id = idArgument(args.id, 'rotation group');
    const { getRotation } = await import('../../src/campaigns/index.ts');
    const rotation = await this.withApp(flags, async (app) => getRotation(app.db, await this.operatorIn(app, flags.workspace), id));
    this.log(`${rotation.name} (group ${id})`);
    this.log(
      table(rotation.members, ['campaign_id', 'status', 'is_archived', 'account_email', 'account_status', 'contacts', 'active', 'sent']),
    );
    return rotation;
  }
}

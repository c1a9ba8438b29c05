import { Args } from '@oclif/core';
import { restoreFromTrash } from '../../src/access/index.ts';
import { idArgument } from '../../src/cli/argument.ts';
import { OutreachCommand } from '../../src/cli/command.ts';

export default class TrashRestore extends OutreachCommand {
  static override description = `Restore a deleted record

Campaigns and accounts are restored paused.`;
  static override examples = ['<%= config.bin %> trash restore campaigns 7'];
  static override args = {
    type: Args.string({ required: true, description: 'campaigns, contacts, lists, custom-fields, templates or accounts' }),
    id: Args.string({ required: true, description: 'id, from trash list' }),
  };

  async run() {
    const { args, flags } = await this.parse(TrashRestore);
    const { trashKinds } = await import('../../src/main/trash.ts');
    const id = idArgument(args.id, args.type);
    const restored = await this.withApp(flags, (app) => restoreFromTrash(app, trashKinds, args.type, id));
    this.log(`Restored ${restored.type} ${restored.id} "${restored.name}".`);
    return restored;
  }
}

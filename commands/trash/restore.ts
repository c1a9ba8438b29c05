import { Args } from '@oclif/core';
import { idArgument } from '../../src/cli/argument.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';

export default class TrashRestore extends ClientCommand {
  static override description = `Restore a deleted record

Campaigns and accounts are restored paused.`;
  static override examples = ['<%= config.bin %> trash restore campaigns 7'];
  static override args = {
    type: Args.string({ required: true, description: 'campaigns, contacts, lists, custom-fields, templates or accounts' }),
    id: Args.string({ required: true, description: 'id, from trash list' }),
  };

  async run() {
    const { args, flags } = await this.parse(TrashRestore);
    const id = idArgument(args.id, args.type);
    const api = await this.client(flags);
    const restored = await api.trash.restore.mutate({ type: args.type, id });
    this.log(`Restored ${restored.type.replace(/s$/, '').replace('-', ' ')} ${restored.id} "${restored.name}".`);
    return restored;
  }
}

import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { listArgument } from '../../src/cli/client/list-argument.ts';
import { idOf } from '../../src/cli/client/names.ts';

export default class ListRename extends ClientCommand {
  static override description = 'Rename a list';
  static override examples = ['<%= config.bin %> list rename 6 "Spring fair 2026"', '<%= config.bin %> list rename "Spring fair" Visitors'];
  static override args = { list: listArgument, name: Args.string({ required: true, description: 'new name' }) };

  async run() {
    const { args, flags } = await this.parse(ListRename);
    const api = await this.client(flags);
    const list = await api.lists.update.mutate({ id: await idOf(api, 'list', args.list), name: args.name });
    this.logLine(`List ${list.id} is now named "${list.name}".`);
    return list;
  }
}

import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';

export default class ListCreate extends ClientCommand {
  static override description = 'Create a list of contacts';
  static override examples = ['<%= config.bin %> list create "Spring fair"'];
  static override args = { name: Args.string({ required: true, description: 'name of the list' }) };

  async run() {
    const { args, flags } = await this.parse(ListCreate);
    const api = await this.client(flags);
    const list = await api.lists.create.mutate({ name: args.name });
    this.logLine(`List ${list.id} "${list.name}" was created.`);
    this.next(`list add ${list.id} --search QUERY`);
    return list;
  }
}

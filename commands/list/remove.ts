import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { contactIdOf } from '../../src/cli/client/find-contact.ts';
import { listArgument } from '../../src/cli/client/list-argument.ts';
import { idOf } from '../../src/cli/client/names.ts';

export default class ListRemove extends ClientCommand {
  static override description = 'Remove contacts from a list';
  static override examples = ['<%= config.bin %> list remove "Spring fair" ada@example.org', '<%= config.bin %> list remove 6 42 43'];
  static override args = {
    list: listArgument,
    contact: Args.string({ required: true, multiple: true, description: 'email address or id of a contact; several may be given' }),
  };

  async run() {
    const { args, flags } = await this.parse(ListRemove);
    const api = await this.client(flags);
    const id = await idOf(api, 'list', args.list);
    const ids: number[] = [];
    for (const contact of args.contact) ids.push(await contactIdOf(api, contact));
    for (const [index, contactId] of ids.entries()) {
      await api.lists.removeMember.mutate({ id, contact_id: contactId });
      this.logLine(`${args.contact[index]} was removed from list ${id}.`);
    }
    return { list_id: id, removed: ids.length };
  }
}

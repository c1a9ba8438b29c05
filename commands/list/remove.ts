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
    const contacts: { name: string; contact_id: number }[] = [];
    for (const name of args.contact) contacts.push({ name, contact_id: await contactIdOf(api, name) });
    const named = ({ name }: { name: string }) => name;
    await this.oneByOne(contacts, named, async ({ name, contact_id }) => {
      await api.lists.removeMember.mutate({ id, contact_id });
      this.logLine(`${name} was removed from list ${id}.`);
    });
    return { list_id: id, removed: contacts.length };
  }
}

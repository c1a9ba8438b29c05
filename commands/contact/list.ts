import { Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { listFlags } from '../../src/cli/list-output.ts';

const DEFAULT_COLUMNS = ['id', 'name', 'email', 'company', 'created_at'];

export default class ContactList extends ClientCommand {
  static override description = 'List contacts';
  static override examples = [
    '<%= config.bin %> contact list',
    '<%= config.bin %> contact list --list "Spring fair" --all --csv --columns email,name',
  ];
  static override flags = {
    ...listFlags,
    archived: Flags.boolean({ description: 'list the archived contacts instead' }),
    contains: Flags.string({ description: 'only contacts whose name, email address or company contains this', helpValue: 'TEXT' }),
    list: Flags.string({ description: 'only contacts on this list, by its id or name', helpValue: 'L' }),
  };

  async run() {
    const { flags } = await this.parse(ContactList);
    const api = await this.client(flags);
    const { archived, contains } = flags;
    const listId = flags.list === undefined ? undefined : await idOf(api, 'list', flags.list);
    return this.list(flags, DEFAULT_COLUMNS, (page) => api.contacts.list.query({ ...page, archived, q: contains, list_id: listId }));
  }
}

import { Args, Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { contactIdOf } from '../../src/cli/client/find-contact.ts';
import { listArgument } from '../../src/cli/client/list-argument.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { searchedIds } from '../../src/cli/client/searched-ids.ts';
import { quantity } from '../../src/core/english.ts';
import { invalid } from '../../src/core/errors.ts';

/** The API takes at most this many contacts in one call. */
const MAX_IDS = 10_000;

export default class ListAdd extends ClientCommand {
  static override description = 'Add contacts to a list\n\nContacts who are on it already are skipped.';
  static override examples = [
    '<%= config.bin %> list add "Spring fair" ada@example.org 42',
    '<%= config.bin %> list add 6 --search "company:acme created:>30d"',
  ];
  static override args = {
    list: listArgument,
    contact: Args.string({ multiple: true, description: 'email address or id of a contact; several may be given' }),
  };
  static override flags = {
    search: Flags.string({ description: 'add every contact that this query finds (docs/smart-search.md)', helpValue: 'QUERY' }),
  };

  async run() {
    const { args, flags } = await this.parse(ListAdd);
    if ((args.contact === undefined) === (flags.search === undefined)) throw invalid('name the contacts, or pass --search QUERY');
    const api = await this.client(flags);
    const id = await idOf(api, 'list', args.list);
    const ids = flags.search === undefined ? [] : await searchedIds(api, flags.search);
    for (const contact of args.contact ?? []) ids.push(await contactIdOf(api, contact));
    let added = 0;
    for (let at = 0; at < ids.length; at += MAX_IDS)
      added += (await api.lists.addMembers.mutate({ id, contact_ids: ids.slice(at, at + MAX_IDS) })).added;
    this.log(`${quantity(added, 'contact was', 'contacts were')} added to list ${id}; ${ids.length - added} skipped.`);
    this.next(`campaign enrol CAMPAIGN --list ${id}`);
    return { list_id: id, added, skipped: ids.length - added };
  }
}

import { Args } from '@oclif/core';
import { idIn } from '../../src/cli/argument.ts';
import type { Api } from '../../src/cli/client/api.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { eachRecord } from '../../src/client/pages.ts';
import { invalid, OutreachError } from '../../src/core/errors.ts';

export default class TrashRestore extends ClientCommand {
  static override description = `Restore a deleted record

Campaigns and accounts are restored paused.`;
  static override examples = ['<%= config.bin %> trash restore campaigns 7', '<%= config.bin %> trash restore lists "Spring fair"'];
  static override args = {
    type: Args.string({ required: true, description: 'campaigns, contacts, lists, custom-fields, templates or accounts' }),
    id: Args.string({ required: true, description: 'id or name of the record, as trash list shows it' }),
  };

  async run() {
    const { args, flags } = await this.parse(TrashRestore);
    const api = await this.client(flags);
    const type = args.type.endsWith('s') ? args.type : `${args.type}s`;
    const restored = await api.trash.restore.mutate({ type, id: await idInTrash(api, type, args.id) });
    this.log(`Restored ${restored.type.replace(/s$/, '').replace('-', ' ')} ${restored.id} "${restored.name}".`);
    return restored;
  }
}

/** Returns the id of a deleted record given by id or name. Throws `not_found`, and `invalid_request` if several have the name. */
async function idInTrash(api: Api, type: string, text: string): Promise<number> {
  const id = idIn(text);
  if (id !== undefined) return id;
  const deleted = await Array.fromAsync(eachRecord((page) => api.trash.list.query({ type, ...page })));
  const [found, ...others] = deleted.filter(({ name }) => name.toLowerCase() === text.trim().toLowerCase());
  if (found === undefined) throw new OutreachError('not_found', `"${text}" is not in the trash`);
  if (others.length > 0)
    throw invalid(`several ${type} in the trash are named "${text}"; use an id: ${[found, ...others].map(({ id }) => id).join(', ')}`);
  return found.id;
}

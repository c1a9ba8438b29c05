import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { listArgument } from '../../src/cli/client/list-argument.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { confirm, yesFlag } from '../../src/cli/confirm.ts';

export default class ListDelete extends ClientCommand {
  static override description = 'Delete a list, but not its contacts\n\nTo undo, run: outreach trash restore lists ID';
  static override examples = ['<%= config.bin %> list delete 6', '<%= config.bin %> list delete "Spring fair" --yes'];
  static override args = { list: listArgument };
  static override flags = { yes: yesFlag };

  async run() {
    const { args, flags } = await this.parse(ListDelete);
    const api = await this.client(flags);
    const { id, name } = await api.lists.get.query({ id: await idOf(api, 'list', args.list) });
    await confirm(flags, `Delete list ${id} "${name}"?`, 'nothing was deleted');
    await api.lists.delete.mutate({ id });
    this.tell(`List ${id} was deleted; to undo, run: outreach trash restore lists ${id}`);
    return { id, deleted: true };
  }
}

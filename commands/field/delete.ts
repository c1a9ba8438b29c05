import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { confirm, yesFlag } from '../../src/cli/confirm.ts';

export default class FieldDelete extends ClientCommand {
  static override description = `Delete a custom field and hide its values

Emails whose content uses its placeholder are held from then on. To undo, run: outreach trash restore custom-fields ID`;
  static override examples = ['<%= config.bin %> field delete 2', '<%= config.bin %> field delete favourite_colour --yes'];
  static override args = { field: Args.string({ required: true, description: 'id, key or name of the field' }) };
  static override flags = { yes: yesFlag };

  async run() {
    const { args, flags } = await this.parse(FieldDelete);
    const api = await this.client(flags);
    const id = await idOf(api, 'field', args.field);
    await confirm(flags, `Delete field ${id} (${args.field}) and hide its values?`, 'nothing was deleted');
    await api.customFields.delete.mutate({ id });
    this.tell(`Field ${id} was deleted; to undo, run: outreach trash restore custom-fields ${id}`);
    return { id, deleted: true };
  }
}

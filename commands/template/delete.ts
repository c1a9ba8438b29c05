import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { templateArgument } from '../../src/cli/client/template-arguments.ts';
import { confirm, yesFlag } from '../../src/cli/confirm.ts';

export default class TemplateDelete extends ClientCommand {
  static override description = 'Delete a template or a signature\n\nTo undo, run: outreach trash restore templates ID';
  static override examples = ['<%= config.bin %> template delete 4', '<%= config.bin %> template delete "Introduction" --yes'];
  static override args = { template: templateArgument };
  static override flags = { yes: yesFlag };

  async run() {
    const { args, flags } = await this.parse(TemplateDelete);
    const api = await this.client(flags);
    const { id, name } = await api.templates.get.query({ id: await idOf(api, 'template', args.template) });
    await confirm(flags, `Delete template ${id} "${name}"?`, 'nothing was deleted');
    await api.templates.delete.mutate({ id });
    this.tell(`Template ${id} was deleted; to undo, run: outreach trash restore templates ${id}`);
    return { id, deleted: true };
  }
}

import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { templateArgument } from '../../src/cli/client/template-arguments.ts';

export default class TemplateUnarchive extends ClientCommand {
  static override description = 'Unarchive a template';
  static override examples = ['<%= config.bin %> template unarchive 4', '<%= config.bin %> template unarchive "Introduction"'];
  static override args = { template: templateArgument };

  async run() {
    const { args, flags } = await this.parse(TemplateUnarchive);
    const api = await this.client(flags);
    const template = await api.templates.unarchive.mutate({ id: await idOf(api, 'template', args.template) });
    this.logLine(`Template ${template.id} "${template.name}" was unarchived.`);
    return template;
  }
}

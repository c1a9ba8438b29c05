import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { templateArgument } from '../../src/cli/client/template-arguments.ts';

export default class TemplateArchive extends ClientCommand {
  static override description = 'Hide a template from the list\n\nA signature that is archived is no longer added to emails.';
  static override examples = ['<%= config.bin %> template archive 4', '<%= config.bin %> template archive "Introduction"'];
  static override args = { template: templateArgument };

  async run() {
    const { args, flags } = await this.parse(TemplateArchive);
    const api = await this.client(flags);
    const template = await api.templates.archive.mutate({ id: await idOf(api, 'template', args.template) });
    this.logLine(`Template ${template.id} "${template.name}" is archived.`);
    return template;
  }
}

import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { templateArgument } from '../../src/cli/client/template-arguments.ts';
import { describeTemplate } from '../../src/cli/describe/template.ts';

export default class TemplateShow extends ClientCommand {
  static override description = 'Show a template or a signature with its body';
  static override examples = ['<%= config.bin %> template show 4', '<%= config.bin %> template show "Introduction" --json'];
  static override args = { template: templateArgument };

  async run() {
    const { args, flags } = await this.parse(TemplateShow);
    const api = await this.client(flags);
    const template = await api.templates.get.query({ id: await idOf(api, 'template', args.template) });
    const { body_html: body, ...rest } = template;
    this.draw(`${describeTemplate(rest)}\n`);
    this.logAsIs(body);
    return template;
  }
}

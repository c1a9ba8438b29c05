import { Args, Flags } from '@oclif/core';
import { bodyFrom } from '../../src/cli/body-flags.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { subjectFrom, templateFlags } from '../../src/cli/client/template-arguments.ts';
import { invalid } from '../../src/core/errors.ts';

export default class TemplateCreate extends ClientCommand {
  static override description = `Create a template or a signature

The body is HTML from --body-file, or text from --text-file, whose paragraphs are separated by empty lines.`;
  static override examples = [
    '<%= config.bin %> template create "Introduction" --subject "A question, {{first_name}}" --text-file intro.txt',
    '<%= config.bin %> template create "Zoe" --type signature --body-file zoe.html',
  ];
  static override args = { name: Args.string({ required: true, description: 'name of the template' }) };
  static override flags = {
    ...templateFlags,
    type: Flags.option({
      options: ['template', 'signature'] as const,
      description: 'a template, or a signature for {{signature}}',
      default: 'template' as const,
    })(),
  };

  async run() {
    const { args, flags } = await this.parse(TemplateCreate);
    const body = await bodyFrom(flags['body-file'], flags['text-file']);
    if (body === undefined) throw invalid('the template needs a body; pass --body-file or --text-file');
    const api = await this.client(flags);
    const template = await api.templates.create.mutate({
      name: args.name,
      type: flags.type,
      subject: subjectFrom(flags.subject),
      body_html: body,
      is_shared_to_all: flags.shared === undefined ? undefined : flags.shared === 'true',
    });
    const { id, type, name } = template;
    this.logLine(`${type === 'signature' ? 'Signature' : 'Template'} ${id} "${name}" was created.`);
    if (type === 'signature') this.next(`account set EMAIL --signature ${id}`);
    return template;
  }
}

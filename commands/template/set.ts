import { Flags } from '@oclif/core';
import { bodyFrom } from '../../src/cli/body-flags.ts';
import { hasAny } from '../../src/cli/campaign-flags.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { subjectFrom, templateArgument, templateFlags } from '../../src/cli/client/template-arguments.ts';
import { describeTemplate } from '../../src/cli/describe/template.ts';
import { invalid } from '../../src/core/errors.ts';

export default class TemplateSet extends ClientCommand {
  static override description = 'Change a template or a signature\n\nEmails that are sent from now on use the new signature.';
  static override examples = [
    '<%= config.bin %> template set 4 --text-file intro.txt',
    '<%= config.bin %> template set "Introduction" --name "First contact" --subject "A question"',
  ];
  static override args = { template: templateArgument };
  static override flags = { ...templateFlags, name: Flags.string({ description: 'new name', helpValue: 'N' }) };

  async run() {
    const { args, flags } = await this.parse(TemplateSet);
    const patch = {
      name: flags.name,
      subject: subjectFrom(flags.subject),
      body_html: await bodyFrom(flags['body-file'], flags['text-file']),
      is_shared_to_all: flags.shared === undefined ? undefined : flags.shared === 'true',
    };
    if (!hasAny(patch)) throw invalid('nothing to change; see: outreach template set --help');
    const api = await this.client(flags);
    const template = await api.templates.update.mutate({ id: await idOf(api, 'template', args.template), ...patch });
    const { body_html: _, ...rest } = template;
    this.draw(describeTemplate(rest));
    return template;
  }
}

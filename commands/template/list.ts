import { Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { listFlags } from '../../src/cli/list-output.ts';

const DEFAULT_COLUMNS = ['id', 'name', 'type', 'subject', 'is_shared_to_all', 'updated_at'];

export default class TemplateList extends ClientCommand {
  static override description = 'List templates and signatures';
  static override examples = ['<%= config.bin %> template list', '<%= config.bin %> template list --type signature --all --csv'];
  static override flags = {
    ...listFlags,
    archived: Flags.boolean({ description: 'list the archived ones instead' }),
    type: Flags.option({ options: ['template', 'signature'] as const, description: 'only templates, or only signatures' })(),
  };

  async run() {
    const { flags } = await this.parse(TemplateList);
    const api = await this.client(flags);
    const { archived, type } = flags;
    return this.list(flags, DEFAULT_COLUMNS, (page) => api.templates.list.query({ ...page, archived, type }));
  }
}

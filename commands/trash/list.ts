import { Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { listFlags } from '../../src/cli/list-output.ts';

const DEFAULT_COLUMNS = ['type', 'id', 'name', 'deleted_at', 'workspace_name'];

export default class TrashList extends ClientCommand {
  static override description = `List deleted records that can be restored, latest first

On this machine those of all workspaces, unless --workspace names one.`;
  static override examples = ['<%= config.bin %> trash list', '<%= config.bin %> trash list --type contacts'];
  static override flags = {
    ...listFlags,
    type: Flags.string({ description: 'only records of this type, for example campaigns', helpValue: 'TYPE' }),
  };

  async run() {
    const { flags } = await this.parse(TrashList);
    const api = await this.client(flags);
    const filter = { type: flags.type };
    return this.list(flags, DEFAULT_COLUMNS, (page) => api.trash.list.query({ ...filter, ...page }));
  }
}

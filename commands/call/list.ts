import { Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { listFlags } from '../../src/cli/list-output.ts';

const DEFAULT_COLUMNS = ['id', 'status', 'due_at', 'name', 'phone', 'email', 'company', 'campaign_name', 'notes'];

export default class CallList extends ClientCommand {
  static override description = 'List calls that are due';
  static override examples = ['<%= config.bin %> call list', '<%= config.bin %> call list --closed --all --csv'];
  static override flags = {
    ...listFlags,
    closed: Flags.boolean({ description: 'include calls that are done, skipped or cancelled' }),
  };

  async run() {
    const { flags } = await this.parse(CallList);
    const api = await this.client(flags);
    return this.list(flags, flags.closed ? [...DEFAULT_COLUMNS, 'note'] : DEFAULT_COLUMNS, (page) =>
      api.calls.list.query({ closed: flags.closed, ...page }),
    );
  }
}

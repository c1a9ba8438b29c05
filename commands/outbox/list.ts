import { Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { listFlags, readAfter } from '../../src/cli/list-output.ts';

const DEFAULT_COLUMNS = [
  'id',
  'state',
  'recipient',
  'campaign_name',
  'step_order',
  'account_email',
  'transmitting_at',
  'response',
  'attempt',
];

export default class OutboxList extends ClientCommand {
  static override description = `List the latest emails

On this machine those of all workspaces, unless --workspace names one. With --uncertain, lists emails whose delivery is unknown after a \
crash.`;
  static override examples = ['<%= config.bin %> outbox list --uncertain', '<%= config.bin %> outbox list --limit 500 --csv'];
  static override flags = { ...listFlags, uncertain: Flags.boolean({ description: 'only emails whose delivery is unknown' }) };

  async run() {
    const { flags } = await this.parse(OutboxList);
    const api = await this.client(flags);
    const filter = { uncertain: flags.uncertain };
    const listed = await this.list(
      flags,
      DEFAULT_COLUMNS,
      readAfter((page) => api.outbox.list.query({ ...filter, ...page })),
    );
    if (flags.uncertain && listed.data.length > 0) this.next('outbox resolve ID --sent, or --resend');
    return listed;
  }
}

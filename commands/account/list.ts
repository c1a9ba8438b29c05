import { Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { listFlags } from '../../src/cli/list-output.ts';

const DEFAULT_COLUMNS = [
  'id',
  'email',
  'status',
  'pause_reason',
  'sent_today',
  'limit_today',
  'last_polled_at',
  'bounce_rate',
  'health',
  'tags',
  'is_archived',
];

export default class AccountList extends ClientCommand {
  static override description = `List accounts

Shows the emails that each has sent today and its limit, when its mailbox was last polled, the share of the emails of the last seven \
days that bounced, from 0 to 1, and how well it can deliver; see account health.`;
  static override examples = [
    '<%= config.bin %> account list',
    '<%= config.bin %> account list --tag us --columns email,status,sent_today --csv',
  ];
  static override flags = { ...listFlags, tag: Flags.string({ description: 'only accounts with this tag', helpValue: 'T' }) };

  async run() {
    const { flags } = await this.parse(AccountList);
    const api = await this.client(flags);
    return this.list(flags, DEFAULT_COLUMNS, (page) => api.accountOverview.list.query({ ...page, tag: flags.tag }));
  }
}

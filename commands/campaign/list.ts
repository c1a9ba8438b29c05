import { Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { listFlags } from '../../src/cli/list-output.ts';

const DEFAULT_COLUMNS = ['id', 'name', 'status', 'account_email', 'step_count', 'contact_count', 'starts_at'];

export default class CampaignList extends ClientCommand {
  static override description = `List campaigns

A rotation group is one line, with the status and the contacts of all its accounts.`;
  static override examples = [
    '<%= config.bin %> campaign list',
    '<%= config.bin %> campaign list --members',
    '<%= config.bin %> campaign list --status active --all --csv --columns id,name,contact_count',
  ];
  static override flags = {
    ...listFlags,
    archived: Flags.boolean({ description: 'list the archived campaigns instead' }),
    members: Flags.boolean({ description: 'list every campaign of a rotation group on a line of its own' }),
    status: Flags.option({
      options: ['draft', 'active', 'paused', 'completed'] as const,
      description: 'only campaigns with this status',
    })(),
  };

  async run() {
    const { flags } = await this.parse(CampaignList);
    const api = await this.client(flags);
    const { archived, status } = flags;
    if (flags.members) return this.list(flags, DEFAULT_COLUMNS, (page) => api.campaigns.list.query({ ...page, archived, status }));
    return this.list(flags, DEFAULT_COLUMNS, (page) => api.groupedCampaigns.list.query({ ...page, archived, status }), withOthers);
  }
}

/** Shows the first account of a rotation group and the number of the others. */
const withOthers = <Row extends { account_email: string; account_count: number }>(row: Row): Row =>
  row.account_count > 1 ? { ...row, account_email: `${row.account_email} +${row.account_count - 1}` } : row;

import { Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { listFlags } from '../../src/cli/list-output.ts';

const USUAL = ['id', 'name', 'status', 'account_email', 'step_count', 'contact_count', 'starts_at'];

export default class CampaignList extends ClientCommand {
  static override description = 'List campaigns';
  static override examples = [
    '<%= config.bin %> campaign list',
    '<%= config.bin %> campaign list --status active --all --csv --columns id,name,contact_count',
  ];
  static override flags = {
    ...listFlags,
    archived: Flags.boolean({ description: 'list the archived campaigns instead' }),
    status: Flags.option({
      options: ['draft', 'active', 'paused', 'completed'] as const,
      description: 'only campaigns with this status',
    })(),
  };

  async run() {
    const { flags } = await this.parse(CampaignList);
    const api = await this.client(flags);
    const { archived, status } = flags;
    return this.list(flags, USUAL, (page) => api.campaigns.list.query({ ...page, archived, status }));
  }
}

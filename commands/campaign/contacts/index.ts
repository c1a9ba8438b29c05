import { Flags } from '@oclif/core';
import { campaignArgument } from '../../../src/cli/client/campaign-argument.ts';
import { ClientCommand } from '../../../src/cli/client/client-command.ts';
import { contactsOfGroup, membersOf } from '../../../src/cli/client/group-contacts.ts';
import { idOf } from '../../../src/cli/client/names.ts';
import { listFlags } from '../../../src/cli/list-output.ts';

const DEFAULT_COLUMNS = ['contact_id', 'name', 'email', 'status', 'current_step', 'next_send_at'];

export default class CampaignContacts extends ClientCommand {
  static override description =
    'List the contacts of a campaign\n\nA rotation group is one campaign; its contacts are listed with the account that emails them.';
  static override examples = [
    '<%= config.bin %> campaign contacts 7',
    '<%= config.bin %> campaign contacts 7 --status replied --all --csv',
  ];
  static override args = { campaign: campaignArgument };
  static override flags = {
    ...listFlags,
    status: Flags.option({
      options: ['active', 'replied', 'stopped', 'bounced', 'completed'] as const,
      description: 'only contacts with this status',
    })(),
  };

  async run() {
    const { args, flags } = await this.parse(CampaignContacts);
    const api = await this.client(flags);
    const id = await idOf(api, 'campaign', args.campaign);
    const { status } = flags;
    const members = await membersOf(api, id);
    if (members !== undefined) return this.list(flags, [...DEFAULT_COLUMNS, 'account_email'], contactsOfGroup(api, members, status));
    return this.list(flags, DEFAULT_COLUMNS, (page) => api.enrolments.list.query({ id, status, ...page }));
  }
}

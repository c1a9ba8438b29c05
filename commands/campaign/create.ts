import { Args, Flags } from '@oclif/core';
import { campaignFlags, recordFrom } from '../../src/cli/campaign-flags.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { campaignWithOptions, enrolExisting, resolvedOptions } from '../../src/cli/client/set-campaign.ts';
import { describeCampaign } from '../../src/cli/describe/campaign.ts';

export default class CampaignCreate extends ClientCommand {
  static override description = 'Create a campaign as a draft\n\nIt sends nothing until you add steps, enrol contacts and activate it.';
  static override examples = [
    '<%= config.bin %> campaign create "Spring fair" --account anna@example.com',
    '<%= config.bin %> campaign create "Spring fair" --account anna@example.com,ben@example.com --timezone Europe/Berlin --days mon-fri --hours 9-17',
  ];
  static override args = { name: Args.string({ required: true, description: 'name of the campaign' }) };
  static override flags = {
    ...campaignFlags,
    account: Flags.string({
      required: true,
      description: 'id or email address of the account that sends; several, separated by commas, make a rotation group',
      helpValue: 'A,B',
    }),
  };

  async run() {
    const { args, flags } = await this.parse(CampaignCreate);
    const fields = recordFrom(flags);
    const api = await this.client(flags);
    const accountIds: number[] = [];
    for (const account of flags.account.split(',')) accountIds.push(await idOf(api, 'account', account.trim()));
    const [account_id = 0, ...more_account_ids] = accountIds;
    const options = await resolvedOptions(api, flags);
    const { id } = await api.campaignSetup.create.mutate({ name: args.name, account_id, more_account_ids, ...fields, ...options });
    await enrolExisting(api, flags, id, options.list_id);
    if (this.jsonEnabled()) return campaignWithOptions(api, id);
    this.draw(await describeCampaign(api, id));
    return this.next(`campaign step add ${id} --subject "…" --text-file FILE`);
  }
}

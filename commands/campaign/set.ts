import { Flags } from '@oclif/core';
import { campaignFlags, hasAny, optionsFrom, recordFrom } from '../../src/cli/campaign-flags.ts';
import { campaignArgument } from '../../src/cli/client/campaign-argument.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { record } from '../../src/cli/table.ts';
import { invalid } from '../../src/core/errors.ts';

export default class CampaignSet extends ClientCommand {
  static override description = `Change the settings of a campaign

Changes apply at once, in a rotation group to all its campaigns.`;
  static override examples = [
    '<%= config.bin %> campaign set 7 --hours 9-12 --days mon-thu',
    '<%= config.bin %> campaign set "Spring fair" --auto-reopen false --track-opens false',
  ];
  static override args = { campaign: campaignArgument };
  static override flags = {
    ...campaignFlags,
    account: Flags.string({ description: 'id or email address of the account that sends', helpValue: 'A' }),
    name: Flags.string({ description: 'new name', helpValue: 'N' }),
  };

  async run() {
    const { args, flags } = await this.parse(CampaignSet);
    const [fields, options] = [recordFrom(flags), optionsFrom(flags)];
    const hasFields = hasAny({ ...fields, name: flags.name, account: flags.account });
    if (!hasFields && !hasAny(options)) throw invalid('nothing to change; see: outreach campaign set --help');
    const api = await this.client(flags);
    const id = await idOf(api, 'campaign', args.campaign);
    if (hasFields) {
      const accountId = flags.account === undefined ? undefined : await idOf(api, 'account', flags.account);
      await api.campaigns.update.mutate({ id, ...fields, name: flags.name, account_id: accountId });
    }
    if (hasAny(options)) await api.campaignOptions.update.mutate({ id, ...options });
    const [campaign, { campaign_id: _, ...current }] = [await api.campaigns.get.query({ id }), await api.campaignOptions.get.query({ id })];
    const result = { ...campaign, ...current };
    this.log(record(result));
    return result;
  }
}

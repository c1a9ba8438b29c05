import { Flags } from '@oclif/core';
import { campaignArgument } from '../../src/cli/client/campaign-argument.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { MEMBER_COLUMNS } from '../../src/cli/client/rotation.ts';
import { printTable } from '../../src/cli/print-table.ts';

import { quantity } from '../../src/core/english.ts';

export default class RotationCreate extends ClientCommand {
  static override description = `Send a campaign from several accounts

Creates a copy of the campaign for each further account, with the same settings and steps. Whatever you change in one of them later \
holds for all, except the account: steps, settings, activating, pausing, archiving and deleting. Pausing an account pauses its copy alone. \
Contacts that have not been emailed yet, and contacts enrolled later, are distributed evenly; each contact stays with its account.`;
  static override examples = [
    '<%= config.bin %> rotation create 7 --accounts 3,4,5',
    '<%= config.bin %> rotation create "Spring fair" --accounts ben@example.com,cleo@example.com',
  ];
  static override args = { campaign: campaignArgument };
  static override flags = {
    accounts: Flags.string({
      required: true,
      description: 'ids or email addresses of the further accounts, separated by commas',
      helpValue: 'A,B',
    }),
  };

  async run() {
    const { args, flags } = await this.parse(RotationCreate);
    const api = await this.client(flags);
    const campaign_id = await idOf(api, 'campaign', args.campaign);
    const account_ids: number[] = [];
    for (const account of flags.accounts.split(',')) account_ids.push(await idOf(api, 'account', account.trim()));
    const rotation = await api.rotations.create.mutate({ campaign_id, account_ids });
    this.log(`Rotation group ${rotation.id} sends from ${quantity(rotation.account_count, 'account')}.`);
    printTable(this, rotation.members, MEMBER_COLUMNS);
    this.next(`rotation activate ${rotation.id}`);
    return rotation;
  }
}

import { Args, Flags } from '@oclif/core';
import { idArgument } from '../../src/cli/argument.ts';
import { OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';
import { table } from '../../src/cli/table.ts';
import { quantity } from '../../src/core/english.ts';

export default class RotationCreate extends OutreachCommand {
  static override description = `Send a campaign from several accounts

Creates a copy of the campaign for each further account, with the same settings and steps. Whatever you change in one of them later \
holds for all, except the account: steps, settings, activating, pausing, archiving and deleting. Pausing an account pauses its copy alone. \
Contacts that have not been emailed yet, and contacts enrolled later, are distributed evenly; each contact stays with its account.`;
  static override examples = ['<%= config.bin %> rotation create 7 --accounts 3,4,5'];
  static override args = { campaign_id: Args.string({ required: true, description: 'id of the campaign' }) };
  static override flags = {
    accounts: Flags.string({ required: true, description: 'ids of the further accounts, separated by commas', helpValue: '3,4,5' }),
    workspace: workspaceFlag,
  };

  async run() {
    const { args, flags } = await this.parse(RotationCreate);
    const campaignId = idArgument(args.campaign_id, 'campaign');
    const accounts = flags.accounts.split(',').map((id) => idArgument(id.trim(), 'account'));
    const { createRotation } = await import('../../src/campaigns/index.ts');
    const rotation = await this.withApp(flags, async (app) =>
      createRotation(app, await this.operatorIn(app, flags.workspace), campaignId, accounts),
    );
    this.log(
      `Rotation group ${rotation.id} has ${quantity(rotation.campaigns, 'account')}. Activating one of its campaigns activates all.`,
    );
    this.log(table(rotation.members, ['campaign_id', 'status', 'account_email', 'account_status', 'contacts', 'active', 'sent']));
    return rotation;
  }
}

import { Args, Flags } from '@oclif/core';
import { idArgument, OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';
import { table } from '../../src/cli/table.ts';

export default class RotationCreate extends OutreachCommand {
  static override description = `send a campaign from several mailboxes

Each further account gets a campaign of its own with the same settings and steps; later changes of the steps are made in
all of them. Contacts to whom nothing was sent are dealt out evenly, those enrolled later too, and each stays with its
mailbox.`;
  static override examples = ['<%= config.bin %> rotation create 7 --accounts 3,4,5'];
  static override args = { campaign_id: Args.string({ required: true, description: 'id of the campaign' }) };
  static override flags = {
    accounts: Flags.string({ required: true, description: 'ids of the accounts, with commas', helpValue: '3,4,5' }),
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
    this.log(`Rotation group ${rotation.id} has ${rotation.campaigns} mailboxes; each campaign is activated by itself.`);
    this.log(table(rotation.members, ['campaign_id', 'status', 'account_email', 'account_status', 'contacts', 'active', 'sent']));
    return rotation;
  }
}

import { Args, Flags } from '@oclif/core';
import { idArgument, OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';
import { table } from '../../src/cli/table.ts';

export default class CampaignForecast extends OutreachCommand {
  static override description = 'when each mail of a campaign will go out, if nobody replies and nothing is changed';
  static override examples = ['<%= config.bin %> campaign forecast 7 --limit 20'];
  static override args = { id: Args.string({ required: true, description: 'id of the campaign' }) };
  static override flags = {
    limit: Flags.integer({ description: 'how many mails at most', default: 50, min: 1, max: 100_000 }),
    workspace: workspaceFlag,
  };

  async run() {
    const { args, flags } = await this.parse(CampaignForecast);
    const id = idArgument(args.id, 'campaign');
    const { forecastCampaign } = await import('../../src/sending/index.ts');
    const mails = await this.withApp(flags, async (app) =>
      forecastCampaign(app, await this.operatorIn(app, flags.workspace), id, flags.limit),
    );
    this.log(
      mails.length === 0
        ? `Nothing is going out. Why: outreach campaign explain ${id}`
        : table(mails, ['send_at', 'email', 'step_order', 'account_id']),
    );
    return { data: mails };
  }
}

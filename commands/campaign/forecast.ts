import { Args, Flags } from '@oclif/core';
import { idArgument, OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';
import { table } from '../../src/cli/table.ts';

export default class CampaignForecast extends OutreachCommand {
  static override description =
    'Forecast when each email of a campaign will be sent\n\nAssumes that nobody replies and nothing is changed.';
  static override examples = ['<%= config.bin %> campaign forecast 7 --limit 20'];
  static override args = { id: Args.string({ required: true, description: 'id of the campaign' }) };
  static override flags = {
    limit: Flags.integer({ description: 'maximum number of emails', default: 50, min: 1, max: 100_000 }),
    workspace: workspaceFlag,
  };

  async run() {
    const { args, flags } = await this.parse(CampaignForecast);
    const id = idArgument(args.id, 'campaign');
    const { forecastCampaign } = await import('../../src/sending/index.ts');
    const emails = await this.withApp(flags, async (app) =>
      forecastCampaign(app, await this.operatorIn(app, flags.workspace), id, flags.limit),
    );
    this.log(
      emails.length === 0
        ? `No emails will be sent; to see why, run: outreach campaign explain ${id}`
        : table(emails, ['send_at', 'email', 'step_order', 'account_id']),
    );
    return { data: emails };
  }
}

import { Args } from '@oclif/core';
import { idArgument, OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';
import { table } from '../../src/cli/table.ts';

export default class CampaignTracking extends OutreachCommand {
  static override description = `who opened mails and followed links of a campaign: people, and machines with the reason

Statistics and events hold what people did. Scanners, image proxies that fetch in advance and the like are kept apart here.`;
  static override examples = ['<%= config.bin %> campaign tracking 7'];
  static override args = { id: Args.string({ required: true, description: 'id of the campaign' }) };
  static override flags = { workspace: workspaceFlag };

  async run() {
    const { args, flags } = await this.parse(CampaignTracking);
    const id = idArgument(args.id, 'campaign');
    const { countHits } = await import('../../src/tracking/index.ts');
    const data = await this.withApp(flags, async (app) => countHits(app.db, await this.operatorIn(app, flags.workspace), id));
    this.log(table(data, ['kind', 'by', 'hits', 'contacts', 'last_at']));
    return { data };
  }
}

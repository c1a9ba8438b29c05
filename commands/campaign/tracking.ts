import { Args } from '@oclif/core';
import { idArgument, OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';
import { table } from '../../src/cli/table.ts';

export default class CampaignTracking extends OutreachCommand {
  static override description = `Count opens and clicks of a campaign, by people and by machines

Statistics and events count people only. Here, security scanners, prefetching image proxies and other machines are listed with the reason they were recognised.`;
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

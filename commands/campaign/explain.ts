import { Args } from '@oclif/core';
import { idArgument, OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';

export default class CampaignExplain extends OutreachCommand {
  static override description = 'Explain why a campaign is not sending, and when its next email is due';
  static override examples = ['<%= config.bin %> campaign explain 7'];
  static override args = { id: Args.string({ required: true, description: 'id of the campaign' }) };
  static override flags = { workspace: workspaceFlag };

  async run() {
    const { args, flags } = await this.parse(CampaignExplain);
    const id = idArgument(args.id, 'campaign');
    const { explainCampaign } = await import('../../src/sending/index.ts');
    const explanation = await this.withApp(flags, async (app) => explainCampaign(app, await this.operatorIn(app, flags.workspace), id));
    if (explanation.reasons.length === 0) this.log('Sending now.');
    for (const line of [...explanation.reasons, ...explanation.notes]) this.logLine(line);
    if (explanation.next_send_at !== null) this.log(`The next email is due at ${explanation.next_send_at} UTC.`);
    return explanation;
  }
}

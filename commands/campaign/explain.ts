import { campaignArgument } from '../../src/cli/client/campaign-argument.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';

export default class CampaignExplain extends ClientCommand {
  static override description = 'Explain why a campaign is not sending, and when its next email is due';
  static override examples = ['<%= config.bin %> campaign explain 7'];
  static override args = { campaign: campaignArgument };

  async run() {
    const { args, flags } = await this.parse(CampaignExplain);
    const api = await this.client(flags);
    const id = await idOf(api, 'campaign', args.campaign);
    const explanation = await api.sending.explain.query({ id });
    if (explanation.reasons.length === 0) this.log('Sending now.');
    for (const line of [...explanation.reasons, ...explanation.notes]) this.logLine(line);
    if (explanation.next_send_at !== null) this.log(`The next email is due at ${explanation.next_send_at} UTC.`);
    return explanation;
  }
}

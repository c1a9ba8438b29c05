import { Flags } from '@oclif/core';
import { campaignArgument } from '../../src/cli/client/campaign-argument.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { rotationOf } from '../../src/cli/client/rotation.ts';
import { quantity } from '../../src/core/english.ts';
import { localText } from '../../src/terminal/local-text.ts';

export default class CampaignExplain extends ClientCommand {
  static override description = `Explain why a campaign is not sending, and when its next email is due

A rotation group is explained as one campaign.`;
  static override examples = ['<%= config.bin %> campaign explain 7', '<%= config.bin %> campaign explain "Spring fair" --members'];
  static override args = { campaign: campaignArgument };
  static override flags = { members: Flags.boolean({ description: 'also explain each account of a rotation group' }) };

  async run() {
    const { args, flags } = await this.parse(CampaignExplain);
    const api = await this.client(flags);
    const id = await idOf(api, 'campaign', args.campaign);
    const [{ timezone }, group, own] = await Promise.all([
      api.campaigns.get.query({ id }),
      rotationOf(api, id),
      api.sending.explain.query({ id }),
    ]);
    if (group === undefined) return this.#print(own, timezone);
    const explanation = await api.sending.explainRotation.query({ id: group.id });
    this.logLine(`"${group.name}" sends from ${quantity(group.account_count, 'account')} (rotation group ${group.id}).`);
    this.#print(explanation, timezone);
    for (const member of flags.members ? explanation.members : []) {
      this.log();
      this.logLine(`${member.account_email} (campaign ${member.campaign_id}):`);
      this.#print(member, timezone);
    }
    return { campaign_id: id, ...explanation };
  }

  #print<Explained extends { reasons: string[]; notes: string[]; next_send_at: string | null }>(
    explanation: Explained,
    timezone: string,
  ): Explained {
    if (explanation.reasons.length === 0) this.log('Sending now.');
    for (const line of [...explanation.reasons, ...explanation.notes]) this.tell(line);
    if (explanation.next_send_at !== null) this.log(`The next email is due at ${localText(explanation.next_send_at, timezone)}.`);
    return explanation;
  }
}

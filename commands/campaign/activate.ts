import { Flags } from '@oclif/core';
import { campaignArgument } from '../../src/cli/client/campaign-argument.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { preFlight } from '../../src/cli/client/pre-flight.ts';
import { groupNote } from '../../src/cli/client/rotation.ts';
import { instantText } from '../../src/cli/instant.ts';

export default class CampaignActivate extends ClientCommand {
  static override description = `Start sending, now or at a given time

Checks the campaign first, as campaign check does, and refuses to start it if something keeps emails from leaving. In a rotation group, all its campaigns start.`;
  static override examples = ['<%= config.bin %> campaign activate 7', '<%= config.bin %> campaign activate 7 --at 2026-12-01T09:00:00Z'];
  static override args = { campaign: campaignArgument };
  static override flags = {
    at: Flags.string({ description: 'time of the start (default: now, or the planned start of a draft)', helpValue: 'TIME' }),
    force: Flags.boolean({ description: 'start even if something keeps emails from leaving' }),
  };

  async run() {
    const { args, flags } = await this.parse(CampaignActivate);
    const startsAt = flags.at === undefined ? undefined : instantText(flags.at, '--at');
    const api = await this.client(flags);
    const id = await idOf(api, 'campaign', args.campaign);
    const warnings = await preFlight(api, id, flags.force);
    const campaign = await api.campaigns.activate.mutate({ id, starts_at: startsAt });
    const start = campaign.starts_at === null ? '' : ` and starts at ${campaign.starts_at} UTC`;
    this.logLine(`Campaign ${id} "${campaign.name}"${await groupNote(api, id)} is active${start}.`);
    for (const { message } of warnings) this.logLine(`Warning: ${message}`);
    this.next(`campaign explain ${id}`);
    return campaign;
  }
}

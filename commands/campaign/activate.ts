import { campaignArgument } from '../../src/cli/client/campaign-argument.ts';
import { confirmStart, startFlags, startText } from '../../src/cli/client/campaign-start.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { preFlight, warningsAfterStart } from '../../src/cli/client/pre-flight.ts';
import { groupNote } from '../../src/cli/client/rotation.ts';
import { frameIn } from '../../src/cli/client/time-frame.ts';
import { instantText } from '../../src/cli/instant.ts';
import { plannedStart } from '../../src/client/planned-start.ts';

export default class CampaignActivate extends ClientCommand {
  static override description = `Start sending, now or at a given time

Checks the campaign first, as campaign check does, and refuses to start it if something keeps emails from leaving. In a rotation group, all its campaigns start.`;
  static override examples = ['<%= config.bin %> campaign activate 7', '<%= config.bin %> campaign activate 7 --at "tomorrow 9:00"'];
  static override args = { campaign: campaignArgument };
  static override flags = startFlags;

  /** True if a planned start in the future stays unless another one is given. */
  protected readonly keepsPlan: boolean = false;

  async run() {
    const { args, flags } = await this.parse(CampaignActivate);
    const api = await this.client(flags);
    const id = await idOf(api, 'campaign', args.campaign);
    const before = await api.campaigns.get.query({ id });
    const frame = frameIn(before.timezone, 'future');
    const planned = plannedStart(before, frame.now);
    const kept = this.keepsPlan ? planned : undefined;
    const startsAt = flags.at === undefined ? kept : instantText(flags.at, '--at', frame);
    if (flags.at !== undefined && startsAt !== undefined) await confirmStart(flags, before, startsAt, frame);
    const found = await preFlight(api, id, flags.force);
    const campaign = await api.campaigns.activate.mutate({ id, starts_at: startsAt });
    this.logLine(
      `Campaign ${id} "${campaign.name}"${await groupNote(this, api, id)} is active${startText(campaign.starts_at, planned, frame.timezone)}.`,
    );
    const warnings = await warningsAfterStart(api, id, found, [before.starts_at, campaign.starts_at]);
    for (const { message } of warnings) this.tell(`Warning: ${message}`);
    this.next(`campaign explain ${id}`);
    return campaign;
  }
}

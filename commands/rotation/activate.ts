import { confirmStart, startFlags, startText } from '../../src/cli/client/campaign-start.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { preFlight, warningsAfterStart } from '../../src/cli/client/pre-flight.ts';
import { allAccounts, rotationArgument } from '../../src/cli/client/rotation.ts';
import { frameIn } from '../../src/cli/client/time-frame.ts';
import { instantText } from '../../src/cli/instant.ts';
import { plannedStart } from '../../src/client/planned-start.ts';

export default class RotationActivate extends ClientCommand {
  static override description = `Start all campaigns of a rotation group, now or at a given time

Checks them first, as campaign check does, and refuses to start them if something keeps emails from leaving. Leaves out campaigns whose \
account is archived or deleted.`;
  static override examples = ['<%= config.bin %> rotation activate 7', '<%= config.bin %> rotation activate 7 --at "tomorrow 9:00"'];
  static override args = { rotation: rotationArgument };
  static override flags = startFlags;

  async run() {
    const { args, flags } = await this.parse(RotationActivate);
    const api = await this.client(flags);
    const id = await idOf(api, 'rotation group', args.rotation);
    const { members, status } = await api.rotations.get.query({ id });
    const campaignId = members[0]?.campaign_id ?? 0;
    const before = await api.campaigns.get.query({ id: campaignId });
    const frame = frameIn(before.timezone, 'future');
    const planned = plannedStart(before, frame.now);
    const startsAt = flags.at === undefined ? undefined : instantText(flags.at, '--at', frame);
    if (startsAt !== undefined) await confirmStart(flags, { ...before, status }, startsAt, frame);
    const found = await preFlight(api, campaignId, flags.force);
    const rotation = await api.rotations.activate.mutate({ id, starts_at: startsAt });
    const { starts_at } = await api.campaigns.get.query({ id: campaignId });
    this.logLine(`"${rotation.name}" is active: ${allAccounts(rotation)}${startText(starts_at, planned, frame.timezone)}.`);
    const warnings = await warningsAfterStart(api, campaignId, found, [before.starts_at, starts_at]);
    for (const { message } of warnings) this.tell(`Warning: ${message}`);
    this.next(`campaign explain ${campaignId}`);
    return rotation;
  }
}

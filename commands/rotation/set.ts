import { Flags } from '@oclif/core';
import { campaignFlags } from '../../src/cli/campaign-flags.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { rotationArgument } from '../../src/cli/client/rotation.ts';
import { campaignWithOptions, changeFrom, settingsIn } from '../../src/cli/client/set-campaign.ts';
import { changedText } from '../../src/cli/describe/changed.ts';

/** Fields that differ between the campaigns of a group, so the group has no single value for them. */
const SINGLE_CAMPAIGN_FIELDS = ['id', 'account_id', 'account_email', 'contact_count', 'created_at', 'updated_at'];

export default class RotationSet extends ClientCommand {
  static override description = 'Change the settings of all campaigns of a rotation group\n\nChanges apply at once.';
  static override examples = [
    '<%= config.bin %> rotation set 7 --hours 9-12 --days mon-thu',
    '<%= config.bin %> rotation set "Spring fair" --name "Autumn fair"',
  ];
  static override args = { rotation: rotationArgument };
  static override flags = { ...campaignFlags, name: Flags.string({ description: 'new name', helpValue: 'N' }) };

  async run() {
    const { args, flags } = await this.parse(RotationSet);
    const change = changeFrom(flags, 'rotation set');
    const api = await this.client(flags);
    const id = await idOf(api, 'rotation group', args.rotation);
    const campaignId = (await api.rotations.get.query({ id })).members[0]?.campaign_id ?? 0;
    await change(api, campaignId);
    const { members, ...rotation } = await api.rotations.get.query({ id });
    this.draw(changedText(`"${rotation.name}" (rotation group ${id}) was changed.`, settingsIn(flags)));
    if (!this.jsonEnabled()) return undefined;
    const shared = Object.entries(await campaignWithOptions(api, campaignId)).filter(([field]) => !SINGLE_CAMPAIGN_FIELDS.includes(field));
    return { ...rotation, ...Object.fromEntries(shared), status: rotation.status, members };
  }
}

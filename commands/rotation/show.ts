import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { MEMBER_COLUMNS, rotationArgument } from '../../src/cli/client/rotation.ts';
import { describeCampaign } from '../../src/cli/describe/campaign.ts';
import { printTable } from '../../src/cli/print-table.ts';

export default class RotationShow extends ClientCommand {
  static override description = `Show a rotation group with its state, settings and totals

Shows its state and the reason for it, accounts, sending hours, settings that differ from the default, steps and totals, then the campaign of each \
account. --json prints the record.`;
  static override examples = ['<%= config.bin %> rotation show 7', '<%= config.bin %> rotation show "Spring fair" --json'];
  static override args = { rotation: rotationArgument };

  async run() {
    const { args, flags } = await this.parse(RotationShow);
    const api = await this.client(flags);
    const rotation = await api.rotations.get.query({ id: await idOf(api, 'rotation group', args.rotation) });
    const [first] = rotation.members;
    if (first !== undefined && !this.jsonEnabled()) this.draw(`${await describeCampaign(api, first.campaign_id)}\n`);
    printTable(this, rotation.members, MEMBER_COLUMNS);
    this.next(`rotation stats ${rotation.id}`);
    return rotation;
  }
}

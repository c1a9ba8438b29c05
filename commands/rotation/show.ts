import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { MEMBER_COLUMNS, rotationArgument } from '../../src/cli/client/rotation.ts';
import { printTable } from '../../src/cli/print-table.ts';

export default class RotationShow extends ClientCommand {
  static override description = 'Show a rotation group and the campaign of each of its accounts';
  static override examples = ['<%= config.bin %> rotation show 2', '<%= config.bin %> rotation show "Spring fair" --json'];
  static override args = { rotation: rotationArgument };

  async run() {
    const { args, flags } = await this.parse(RotationShow);
    const api = await this.client(flags);
    const rotation = await api.rotations.get.query({ id: await idOf(api, 'rotation group', args.rotation) });
    this.logLine(`${rotation.name} (group ${rotation.id}) is ${rotation.status}`);
    printTable(this, rotation.members, MEMBER_COLUMNS);
    this.next(`rotation stats ${rotation.id}`);
    return rotation;
  }
}

import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { allAccounts, rotationArgument } from '../../src/cli/client/rotation.ts';

export default class RotationPause extends ClientCommand {
  static override description = 'Pause all campaigns of a rotation group before their next email';
  static override examples = ['<%= config.bin %> rotation pause 7', '<%= config.bin %> rotation pause "Spring fair"'];
  static override args = { rotation: rotationArgument };

  async run() {
    const { args, flags } = await this.parse(RotationPause);
    const api = await this.client(flags);
    const rotation = await api.rotations.pause.mutate({ id: await idOf(api, 'rotation group', args.rotation) });
    this.tell(`"${rotation.name}" is paused: ${allAccounts(rotation)}; to continue, run: outreach rotation activate ${rotation.id}`);
    return rotation;
  }
}

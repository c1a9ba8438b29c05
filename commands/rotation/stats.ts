import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { rotationArgument } from '../../src/cli/client/rotation.ts';
import { printTable } from '../../src/cli/print-table.ts';
import { trackingNote } from '../../src/reports/page/index.ts';

const COLUMNS = ['account_email', 'contacts', 'active', 'sent', 'opened', 'clicked', 'replied', 'bounced', 'failed'];

export default class RotationStats extends ClientCommand {
  static override description = `Show the statistics of a rotation group, by account and in total

The column sent counts emails; the others count contacts.`;
  static override examples = ['<%= config.bin %> rotation stats 7', '<%= config.bin %> rotation stats "Spring fair" --json'];
  static override args = { rotation: rotationArgument };

  async run() {
    const { args, flags } = await this.parse(RotationStats);
    const api = await this.client(flags);
    const rotation = await api.rotations.get.query({ id: await idOf(api, 'rotation group', args.rotation) });
    if (this.jsonEnabled()) return rotation;
    const { total } = await api.reports.rotation.query({ id: rotation.id });
    const rows = [...rotation.members, { ...rotation, account_email: 'total' }];
    const { opened, clicked } = total.tracked;
    printTable(
      this,
      rows.map((row) => ({ ...row, ...(!opened && { opened: null }), ...(!clicked && { clicked: null }) })),
      COLUMNS,
    );
    const note = trackingNote({ rows: [], total });
    if (note !== null) this.log(note);
    return rotation;
  }
}

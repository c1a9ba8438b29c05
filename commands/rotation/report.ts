import { Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { rotationArgument } from '../../src/cli/client/rotation.ts';
import { campaignFrame } from '../../src/cli/client/time-frame.ts';
import { printReport } from '../../src/cli/reports/print-report.ts';
import { reportDays, reportFlags } from '../../src/cli/reports/report-flags.ts';

export default class RotationReport extends ClientCommand {
  static override description = 'Report on a rotation group, by the sums of its campaigns';
  static override examples = ['<%= config.bin %> rotation report "Spring fair" --by account'];
  static override args = { rotation: rotationArgument };
  static override flags = {
    ...reportFlags,
    by: Flags.option({
      options: ['step', 'variant', 'day', 'week', 'label', 'account', 'provider', 'domain'] as const,
      default: 'account',
      description: 'what the emails of a row have in common',
    })(),
  };

  async run() {
    const { args, flags } = await this.parse(RotationReport);
    const api = await this.client(flags);
    const id = await idOf(api, 'rotation group', args.rotation);
    const { members } = await api.rotations.get.query({ id });
    const days = await reportDays(flags, () => campaignFrame(api, members[0]?.campaign_id ?? 0, 'past'));
    const report = await api.reports.rotation.query({ id, by: flags.by === 'label' ? 'step' : flags.by, ...days });
    await printReport(this, report, flags);
    return report;
  }
}

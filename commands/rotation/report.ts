import { Args, Flags } from '@oclif/core';
import { idArgument } from '../../src/cli/argument.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { reportFlags } from '../../src/cli/reports/report-flags.ts';
import { print } from '../../src/cli/terminal.ts';

export default class RotationReport extends ClientCommand {
  static override description = 'Report on a rotation group, by the sums of its campaigns';
  static override examples = ['<%= config.bin %> rotation report 2 --by account'];
  static override args = { id: Args.string({ required: true, description: 'id of the rotation group' }) };
  static override flags = {
    ...reportFlags,
    by: Flags.option({
      options: ['step', 'variant', 'day', 'account', 'domain'] as const,
      default: 'account',
      description: 'what the emails of a row have in common',
    })(),
  };

  async run() {
    const { args, flags } = await this.parse(RotationReport);
    const api = await this.client(flags);
    const { by, since, until } = flags;
    const report = await api.reports.rotation.query({ id: idArgument(args.id, 'rotation group'), by, since, until });
    if (flags.csv) print((await import('../../src/cli/reports/report-csv.ts')).reportCsv(report));
    else this.log((await import('../../src/cli/reports/report-text.ts')).reportText(report));
    return report;
  }
}

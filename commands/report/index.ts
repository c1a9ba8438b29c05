import { Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { timeFrame } from '../../src/cli/client/time-frame.ts';
import { reportDays, reportFlags } from '../../src/cli/reports/report-flags.ts';
import { print } from '../../src/cli/terminal.ts';

export default class Report extends ClientCommand {
  static override description = `Report on all campaigns

A contact counts once in each campaign, with the email it happened to first. Days are those on which the emails were sent.`;
  static override examples = ['<%= config.bin %> report', '<%= config.bin %> report --by account --since 7d'];
  static override flags = {
    ...reportFlags,
    by: Flags.option({
      options: ['campaign', 'account', 'day'] as const,
      default: 'campaign',
      description: 'what the emails of a row have in common',
    })(),
  };

  async run() {
    const { flags } = await this.parse(Report);
    const api = await this.client(flags);
    const days = await reportDays(flags, () => timeFrame(api, 'past'));
    const report = await api.reports.workspace.query({ by: flags.by, ...days });
    if (flags.csv) print((await import('../../src/cli/reports/report-csv.ts')).reportCsv(report));
    else this.log((await import('../../src/cli/reports/report-text.ts')).reportText(report));
    return report;
  }
}

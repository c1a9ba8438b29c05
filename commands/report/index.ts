import { Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { timeFrame } from '../../src/cli/client/time-frame.ts';
import { printReport } from '../../src/cli/reports/print-report.ts';
import { pageFlags, pageUsage, reportDays, reportFlags } from '../../src/cli/reports/report-flags.ts';
import { setWeekly, weeklyFlags } from '../../src/cli/reports/weekly.ts';
import { say } from '../../src/cli/terminal.ts';

export default class Report extends ClientCommand {
  static override description = `Report on all campaigns

A contact counts once in each campaign, with the first email that it happened to; a rotation group is one campaign. Days are those on which the \
emails were sent. Labels are those of replies; "workspace set" says which of them are positive.`;
  static override usage = pageUsage('report', '[--by campaign|account|day|week|label]');
  static override examples = [
    '<%= config.bin %> report',
    '<%= config.bin %> report --by account --since 7d',
    '<%= config.bin %> report --email ada@example.com --weekly',
    '<%= config.bin %> report --html week.html --since 7d --sender "Miller & Co" --logo logo.png',
  ];
  static override flags = {
    ...reportFlags,
    ...pageFlags,
    ...weeklyFlags,
    by: Flags.option({
      options: ['campaign', 'account', 'day', 'week', 'label'] as const,
      default: 'campaign',
      description: 'what the emails of a row have in common',
    })(),
  };

  async run() {
    const { flags } = await this.parse(Report);
    const api = await this.client(flags);
    const { by, csv, email, html, logo, off, sender } = flags;
    if (email !== undefined) {
      const { line, reports } = await setWeekly(api, email, null, !off);
      this.logLine(line);
      return reports;
    }
    const days = await reportDays(flags, () => timeFrame(api, 'past'));
    const report = await api.reports.workspace.query({ by: by === 'label' ? 'campaign' : by, ...days });
    if (html !== undefined) {
      const { writeWorkspacePage } = await import('../../src/cli/reports/write-page.ts');
      await writeWorkspacePage(api, days, { html, logo, sender });
      say(`Wrote ${html}`);
    } else await printReport(this, report, { by, csv });
    return report;
  }
}

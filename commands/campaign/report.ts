import { Flags } from '@oclif/core';
import { campaignArgument } from '../../src/cli/client/campaign-argument.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { rotationOf } from '../../src/cli/client/rotation.ts';
import { campaignFrame } from '../../src/cli/client/time-frame.ts';
import { printReport } from '../../src/cli/reports/print-report.ts';
import { readReport } from '../../src/cli/reports/read-report.ts';
import { pageFlags, pageUsage, reportDays, reportFlags } from '../../src/cli/reports/report-flags.ts';
import { setWeekly, weeklyFlags } from '../../src/cli/reports/weekly.ts';
import { say } from '../../src/cli/terminal.ts';

export default class CampaignReport extends ClientCommand {
  static override description = `Report on a campaign

A rotation group is one campaign. Each contact counts once, with the first email that it happened to. Days are those on which the emails were \
sent. Opens and clicks are those of people; machines are counted apart.`;
  static override usage = pageUsage('campaign report CAMPAIGN', '[--by step|variant|day|week|label|account|provider|domain] [--domains N]');
  static override examples = [
    '<%= config.bin %> campaign report 7',
    '<%= config.bin %> campaign report "Spring fair" --by variant',
    '<%= config.bin %> campaign report 7 --by day --since 2026-03-01 --csv',
    '<%= config.bin %> campaign report 7 --html spring-fair.html',
    '<%= config.bin %> campaign report 7 --email ada@example.com --weekly',
  ];
  static override args = { campaign: campaignArgument };
  static override flags = {
    ...reportFlags,
    ...pageFlags,
    ...weeklyFlags,
    by: Flags.option({
      options: ['step', 'variant', 'day', 'week', 'label', 'account', 'provider', 'domain'] as const,
      default: 'step',
      description: 'what the emails of a row have in common',
    })(),
    domains: Flags.integer({ description: 'by domain: domains with a row of their own', default: 50, min: 1, max: 1_000, helpValue: 'N' }),
  };

  async run() {
    const { args, flags } = await this.parse(CampaignReport);
    const api = await this.client(flags);
    const id = await idOf(api, 'campaign', args.campaign);
    const { by, domains, email, html, csv, logo, off, sender } = flags;
    if (email !== undefined) {
      const { line, reports } = await setWeekly(api, email, id, !off);
      this.logLine(line);
      return reports;
    }
    const days = await reportDays(flags, () => campaignFrame(api, id, 'past'));
    const group = await rotationOf(api, id);
    const report = await readReport(api, id, group, { by: by === 'label' ? 'step' : by, ...days, domains });
    if (html !== undefined) {
      const { writeCampaignPage } = await import('../../src/cli/reports/write-page.ts');
      await writeCampaignPage(api, { id, group }, { ...days, domains }, { html, logo, sender });
      say(`Wrote ${html}`);
    } else await printReport(this, report, { by, csv });
    return report;
  }
}

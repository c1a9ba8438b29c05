import { Flags } from '@oclif/core';
import { campaignArgument } from '../../src/cli/client/campaign-argument.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { rotationOf } from '../../src/cli/client/rotation.ts';
import { campaignFrame } from '../../src/cli/client/time-frame.ts';
import { readReport } from '../../src/cli/reports/read-report.ts';
import { reportDays, reportFlags } from '../../src/cli/reports/report-flags.ts';
import { print, say } from '../../src/cli/terminal.ts';

export default class CampaignReport extends ClientCommand {
  static override description = `Report on a campaign

A rotation group is one campaign. Each contact counts once, with the email it happened to first. Days are those on which the emails were \
sent. Opens and clicks are those of people; machines are counted apart.`;
  static override examples = [
    '<%= config.bin %> campaign report 7',
    '<%= config.bin %> campaign report "Spring fair" --by variant',
    '<%= config.bin %> campaign report 7 --by day --since 2026-03-01 --csv',
    '<%= config.bin %> campaign report 7 --html spring-fair.html',
  ];
  static override args = { campaign: campaignArgument };
  static override flags = {
    ...reportFlags,
    by: Flags.option({
      options: ['step', 'variant', 'day', 'account', 'provider', 'domain'] as const,
      default: 'step',
      description: 'what the emails of a row have in common',
    })(),
    domains: Flags.integer({ description: 'by domain: domains with a row of their own', default: 50, min: 1, max: 1_000 }),
    html: Flags.string({ description: 'write a page with charts, to read or print, to this file', helpValue: 'FILE', exclusive: ['csv'] }),
  };

  async run() {
    const { args, flags } = await this.parse(CampaignReport);
    const api = await this.client(flags);
    const id = await idOf(api, 'campaign', args.campaign);
    const { by, domains, html, csv } = flags;
    const days = await reportDays(flags, () => campaignFrame(api, id, 'past'));
    const group = await rotationOf(api, id);
    const report = await readReport(api, id, group, { by, ...days, domains });
    if (html !== undefined) {
      const { writeReportPage } = await import('../../src/cli/reports/write-page.ts');
      await writeReportPage(api, { id, group }, { ...days, domains }, html);
      say(`Wrote ${html}`);
    } else if (csv) print((await import('../../src/cli/reports/report-csv.ts')).reportCsv(report));
    else this.log((await import('../../src/cli/reports/report-text.ts')).reportText(report));
    return report;
  }
}

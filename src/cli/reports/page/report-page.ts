import { createHash } from 'node:crypto';
import { comparisonText } from '../../../core/share-text.ts';
import { terminalText } from '../../../core/terminal-text.ts';
import { escapeHtml } from '../../../html/page.ts';
import type { CampaignReport } from '../../../reports/index.ts';
import { keyOfRow } from '../row-key.ts';
import { countsTable } from './counts-table.ts';
import { dayChart } from './day-chart.ts';
import { funnelChart } from './funnel-chart.ts';
import { ratesChart } from './rates-chart.ts';
import { STYLE } from './style.ts';

/** Everything that the page shows. */
export interface ReportPage {
  campaign: { id: number; name: string; timezone: string; status: string };
  /** In words, such as `2026-03-01 09:00 UTC`. */
  madeAt: string;
  reports: { readonly [By in CampaignReport['by']]: CampaignReport };
}

/** The sections with rates, in their order: heading, first column, and what the table and the picture are called. */
const SECTIONS = [
  { by: 'step', heading: 'By step', of: 'step', title: 'Rates of each step' },
  { by: 'variant', heading: 'By variant', of: 'variant', title: 'Rates of each variant' },
  { by: 'account', heading: 'By account', of: 'account', title: 'Rates of each sending account' },
  { by: 'provider', heading: "By recipient's email provider", of: 'provider', title: 'Rates of each email provider' },
  { by: 'domain', heading: "By recipient's domain", of: 'domain', title: 'Rates of each domain' },
] as const;

/**
 * A page with the reports of a campaign: one file that needs no network and no script, for screens, screen readers and paper. Each picture
 * has its figures in a table after it.
 */
export function reportPage({ campaign, madeAt, reports }: ReportPage): string {
  const { since, until, total } = reports.step;
  const period =
    since === null && until === null
      ? 'All emails'
      : `Emails sent ${[since && `from ${since}`, until && `until ${until}`].filter(Boolean).join(' ')}`;
  const body =
    total.sent + total.failed + total.bounced === 0
      ? '<p>No emails were sent in this time.</p>'
      : [figures(reports), ...SECTIONS.map((each) => section(each, reports[each.by]))].join('\n');
  const style = createHash('sha256').update(STYLE).digest('base64');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${style}'; base-uri 'none'; form-action 'none'">
<title>${escapeHtml(terminalText(campaign.name))} – report</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(terminalText(campaign.name))}</h1>
<p class="quiet">Campaign ${campaign.id}, ${escapeHtml(campaign.status)}. ${period}, by days in ${escapeHtml(campaign.timezone)}. Made ${escapeHtml(madeAt)}.</p>
<p>Each contact counts once, with the email it happened to first. Opens and clicks are those of people; machines are counted apart. Rates have the 95 % interval after Wilson.</p>
${body}
</main>
</body>
</html>
`;
}

function figures(reports: ReportPage['reports']): string {
  const { step, day } = reports;
  const days = day.rows.map((row) => ({ ...row, key: keyOfRow('day', row) }));
  return `<h2>Overview</h2>
<figure>${funnelChart(step.total)}</figure>
${countsTable('All emails', 'campaign', [], step.total)}
<h2>By day</h2>
<figure>${dayChart(day.rows)}</figure>
${countsTable('Emails by the day on which they were sent', 'day', days, day.total)}`;
}

function section({ by, heading, of, title }: (typeof SECTIONS)[number], report: CampaignReport): string {
  const rows = report.rows.map((row) => ({ ...row, key: keyOfRow(by, row) }));
  const compared = (report.comparison ?? []).map((each) => `<p>${escapeHtml(comparisonText(each))}.</p>`);
  return `<h2>${heading}</h2>
<figure>${ratesChart(by, title, rows)}</figure>
${[...compared, countsTable(title, of, rows, report.total)].join('\n')}`;
}

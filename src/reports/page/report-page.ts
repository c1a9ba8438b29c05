import { comparisonText } from '../../core/share-text.ts';
import { terminalText } from '../../core/terminal-text.ts';
import { escapeHtml, type HtmlPage, htmlPage } from '../../html/page.ts';
import type { CampaignReport } from '../campaign-report.ts';
import { countsTable } from './counts-table.ts';
import { dayChart } from './day-chart.ts';
import { funnelChart } from './funnel-chart.ts';
import { ratesChart } from './rates-chart.ts';
import { keyOfRow } from './row-key.ts';
import { STYLE } from './style.ts';

/** Everything that the page shows. */
export interface ReportPage {
  campaign: { id: number; name: string; timezone: string; status: string };
  /** In words, such as `2026-03-01 09:00 UTC`. */
  madeAt: string;
  /** Who made the report, for those who get it. */
  sender?: string;
  /** Their logo, as a `data:` URL of an image. */
  logo?: string;
  /** Those that are shown: of a step and of days always. */
  reports: { readonly [By in 'step' | 'day']: CampaignReport } & {
    readonly [By in Exclude<CampaignReport['by'], 'step' | 'day'>]?: CampaignReport;
  };
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
export function reportPage({ campaign, madeAt, reports, sender, logo }: ReportPage): HtmlPage {
  const { since, until, total } = reports.step;
  const period =
    since === null && until === null
      ? 'All emails'
      : `Emails sent ${[since && `from ${since}`, until && `until ${until}`].filter(Boolean).join(' ')}`;
  const body =
    total.sent + total.failed + total.bounced === 0
      ? '<p>No emails were sent in this time.</p>'
      : [figures(reports), ...SECTIONS.flatMap((each) => section(each, reports[each.by]))].join('\n');
  const { name, status } = campaign;
  return htmlPage(
    `${terminalText(name)} – report`,
    `${logo === undefined ? '' : `<img class="logo" src="${escapeHtml(logo)}" alt="${escapeHtml(sender ?? '')}">\n`}<p class="quiet">${[
      ...(sender === undefined ? [] : [`Report by ${escapeHtml(terminalText(sender))}.`]),
      `Campaign ${campaign.id}, ${escapeHtml(status)}.`,
      `${period}, by days in ${escapeHtml(campaign.timezone)}. Made ${escapeHtml(madeAt)}.`,
    ].join(' ')}</p>
<p>Each contact counts once, with the email it happened to first. Opens and clicks are those of people; machines are counted apart. Rates have the 95 % interval after Wilson.</p>
${body}`,
    { heading: terminalText(name), style: STYLE },
  );
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

function section({ by, heading, of, title }: (typeof SECTIONS)[number], report: CampaignReport | undefined): string[] {
  if (report === undefined) return [];
  const rows = report.rows.map((row) => ({ ...row, key: keyOfRow(by, row) }));
  const compared = (report.comparison ?? []).map((each) => `<p>${escapeHtml(comparisonText(each))}.</p>`);
  return [`<h2>${heading}</h2>\n<figure>${ratesChart(by, title, rows)}</figure>`, ...compared, countsTable(title, of, rows, report.total)];
}

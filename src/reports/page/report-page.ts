import { comparisonText } from '../../core/share-text.ts';
import { terminalText } from '../../core/terminal-text.ts';
import { escapeHtml, type HtmlPage, htmlPage } from '../../html/page.ts';
import { type Answerer, answersSection } from './answers-table.ts';
import { countsTable } from './counts-table.ts';
import { dayChart } from './day-chart.ts';
import { funnelChart } from './funnel-chart.ts';
import { ratesChart } from './rates-chart.ts';
import { type AnyReport, keyOfRow } from './row-key.ts';
import { comparisonsOf, shownRow, trackingNote } from './shown-row.ts';
import { STYLE } from './style.ts';

/** Everything that the page shows. */
export interface ReportPage {
  /** The campaign, or the workspace. */
  name: string;
  /** The state of the campaign, or `All campaigns`: a sentence without its full stop. */
  about: string;
  timezone: string;
  /** As text, such as `2026-03-01 09:00 UTC`. */
  madeAt: string;
  /** The maker of the report, shown to its readers. */
  sender?: string;
  /** Their logo, as a `data:` URL of an image. */
  logo?: string;
  /** The people whose replies have a positive label, if they are to be named. */
  answerers?: readonly Answerer[];
  byDay: AnyReport;
  /** The other reports in their order. The first has the totals. */
  reports: readonly [AnyReport, ...AnyReport[]];
}

/** The sections with rates: heading, first column, and the title of the table and the picture. */
const SECTIONS = {
  campaign: { heading: 'By campaign', of: 'campaign', title: 'Rates of each campaign' },
  step: { heading: 'By step', of: 'step', title: 'Rates of each step' },
  variant: { heading: 'By variant', of: 'variant', title: 'Rates of each variant' },
  day: { heading: 'By day', of: 'day', title: 'Rates of each day' },
  week: { heading: 'By week', of: 'week', title: 'Rates of each week' },
  account: { heading: 'By account', of: 'account', title: 'Rates of each sending account' },
  provider: { heading: "By recipient's email provider", of: 'provider', title: 'Rates of each email provider' },
  domain: { heading: "By recipient's domain", of: 'domain', title: 'Rates of each domain' },
} as const;

/**
 * Renders the reports of a campaign, or of all campaigns, as a page: one file that needs no network and no script, for screens, screen
 * readers and paper. A table after each picture has its figures.
 */
export function reportPage({ name, about, timezone, madeAt, sender, logo, answerers, byDay, reports }: ReportPage): HtmlPage {
  const [{ since, until, total }] = reports;
  const period =
    since === null && until === null
      ? 'All emails'
      : `Emails sent ${[since && `from ${since}`, until && `until ${until}`].filter(Boolean).join(' ')}`;
  const body =
    total.sent + total.failed + total.bounced === 0
      ? '<p>No emails were sent.</p>'
      : [overview(reports[0], byDay, answerers), ...reports.flatMap(section)].join('\n');
  const facts = [
    ...(sender === undefined ? [] : [`Report by ${terminalText(sender)}`]),
    terminalText(about),
    `${period}, by days in ${timezone}`,
    `Made ${madeAt}`,
  ];
  return htmlPage(
    `${terminalText(name)} – report`,
    `${logo === undefined ? '' : `<img class="logo" src="${escapeHtml(logo)}" alt="${escapeHtml(terminalText(sender ?? ''))}">\n`}\
<p class="quiet">${facts.map((fact) => `${escapeHtml(fact)}.`).join(' ')}</p>
<p>Each contact counts once, with the first email that it happened to. Opens and clicks are those of people; machines are counted apart. \
The range beside a rate is where the true rate lies with 95% confidence.</p>
${body}`,
    { heading: terminalText(name), style: STYLE },
  );
}

function overview(first: AnyReport, byDay: AnyReport, answerers: readonly Answerer[] | undefined): string {
  const days = byDay.rows.map((row) => ({ ...shownRow(row), key: keyOfRow('day', row) }));
  const total = shownRow(first.total);
  const note = trackingNote(first);
  return `<h2>Overview</h2>
<figure>${funnelChart(total)}</figure>
${countsTable('All emails', first.by === 'campaign' ? 'campaigns' : 'campaign', [], total)}${note === null ? '' : `\n<p>${escapeHtml(note)}</p>`}
${answersSection(first.answers, answerers)}
<h2>By day</h2>
<figure>${dayChart(byDay.rows, total.tracked.opened)}</figure>
${countsTable('Emails by the day on which they were sent', 'day', days, shownRow(byDay.total))}`;
}

function section(report: AnyReport): string[] {
  const { heading, of, title } = SECTIONS[report.by];
  const rows = report.rows.map((row) => ({ ...shownRow(row), key: keyOfRow(report.by, row) }));
  const compared = comparisonsOf(report).map((each) => `<p>${escapeHtml(comparisonText(each))}.</p>`);
  const picture = `<h2>${heading}</h2>\n<figure class="rates">${ratesChart(report.by, title, rows)}</figure>`;
  return [picture, ...compared, countsTable(title, of, rows, shownRow(report.total))];
}

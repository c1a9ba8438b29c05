import { describe, expect, it } from 'vitest';
import { reportCsv } from '../../../src/cli/reports/report-csv.ts';
import { reportText } from '../../../src/cli/reports/report-text.ts';
import { comparisonText } from '../../../src/core/share-text.ts';
import type { CampaignReport, ReportCounts } from '../../../src/reports/index.ts';
import { daysOf } from '../../../src/reports/page/day-chart.ts';
import { reportPage } from '../../../src/reports/page/report-page.ts';
import { reportRow, sumOf } from '../../../src/reports/report-row.ts';
import { ANSWERS, samplePage, sampleReports, TRACKED } from './sample-report.ts';

const reports = sampleReports();
const EMPTY = reportRow(sumOf([]), 'contacts', TRACKED);

describe('a report in the terminal', () => {
  it('is a table, a chart of bars for each rate, and the comparison of variants', () => {
    const text = reportText(reports.variant);
    expect(text).toMatch(/^VARIANT {2}CONTACTS +SENT +DELIVERED/);
    expect(text).toMatch(/^ {2}B {6}█{30} {2}48\.0% \(43\.9–52\.0\)$/m);
    expect(text).toMatch(/^replied: B \+2\.5 points \(−0\.3 to \+5\.4\); B is better with a probability of 96\.1%$/m);
    // At step 2 the table counts 0 opened, because everybody has opened step 1; the chart shows the share of step 2.
    expect(reportText(reports.step)).toContain('\n\nThe table counts a contact once, at the step where it happened first. The charts');
    expect(text).not.toContain('The table counts');
    expect(reportText({ ...reports.step, rows: [], total: EMPTY })).toBe('No emails were sent.');
  });

  it('keeps control characters of a name from the terminal', () => {
    const row = { ...EMPTY, ...reports.step.rows[0], campaign_id: 7, campaign_name: '\u001b[2JSpring', rotation_id: null };
    const text = reportText({ by: 'campaign', since: null, until: null, rows: [row], total: reports.step.total, answers: ANSWERS });
    expect(text).not.toContain('\u001b');
  });

  it('calls no probability certain, and says where there are too few emails', () => {
    const compared = { rate: 'opened', difference: 0.1, low: 0.05, high: 0.15, too_few: false } as const;
    expect(comparisonText({ ...compared, probability_b_better: 1 })).toMatch(/probability of more than 99\.9%$/);
    expect(comparisonText({ ...compared, probability_b_better: 0 })).toMatch(/probability of less than 0\.1%$/);
    expect(comparisonText({ ...compared, too_few: true, probability_b_better: 0.9 })).toMatch(/too few to tell: fewer than 30 emails/);
  });
});

describe('a report as CSV', () => {
  it('has a line for each row, and each rate in columns of its own', () => {
    const [head, first, ...others] = reportCsv(reports.account).split('\n');
    expect(head).toMatch(
      /^account_id,account_email,contacts,sent,.*,opened_rate_count,opened_rate_of,opened_rate,opened_rate_low,opened_rate_high,/,
    );
    expect(first).toMatch(/^3,anna@us\.example,640,640,627,.*,282,627,0\.449761,/);
    expect(others).toHaveLength(1);
  });
});

describe('the page of a report', () => {
  it('shows the days on which nothing was sent', () => {
    const days = daysOf(reports.day.rows);
    expect(days.slice(4, 8).map(({ day, delivered }) => [day, delivered > 0])).toEqual([
      ['2026-03-06', true],
      ['2026-03-07', false],
      ['2026-03-08', false],
      ['2026-03-09', true],
    ]);
    expect(daysOf([])).toEqual([]);
  });

  it('says so where nothing was sent at all, and which days it is about', () => {
    const step = { ...reports.step, since: '2026-03-01', rows: [], total: EMPTY };
    const page = reportPage(samplePage('Spring fair', { ...reports, step })).html;
    expect(page).toContain('Emails sent from 2026-03-01, by days in Europe/Berlin');
    expect(page).toContain('No emails were sent.');
    expect(page).not.toContain('<svg');
  });
});

describe('what is not tracked', () => {
  // "Emails that are not tracked: OPENED 0 instead of not tracked": a zero that nobody measured is no figure.
  const untracked = <Row extends ReportCounts>(row: Row): Row => ({
    ...row,
    ...{ opened: 0, clicked: 0, machine_opened: 0, machine_clicked: 0, tracked: { opened: false, clicked: false } },
  });
  const without = <Of extends CampaignReport>(report: Of): Of => ({
    ...report,
    rows: report.rows.map(untracked),
    total: untracked(report.total),
  });
  const all = Object.fromEntries(Object.entries(reports).map(([by, report]) => [by, without(report)])) as typeof reports;

  it('is a dash with a note in the terminal, without a chart and without a comparison', () => {
    const text = reportText(all.variant);
    expect(text).toMatch(/^A +612 +612 +600 +- +- +31 /m);
    expect(text).toContain('\nOpens and clicks are not tracked.\n');
    expect(text).not.toMatch(/OPENED, with|^opened: B/m);
    expect(text).toMatch(/^replied: B/m);
  });

  it('is empty in CSV, and left out of the pictures of the page, with a note', () => {
    const [head = '', first = ''] = reportCsv(all.account).split('\n');
    const cell = (name: string) => first.split(',')[head.split(',').indexOf(name)];
    expect(['opened', 'clicked', 'opened_rate', 'clicked_rate_of', 'machine_opened', 'replied'].map(cell)).toEqual([
      '',
      '',
      '',
      '',
      '',
      '32',
    ]);
    const page = reportPage(samplePage('Spring fair', all)).html;
    expect(page).toContain('<p>Opens and clicks are not tracked.</p>');
    expect(page).not.toMatch(/>Opened<|>opened<\/text>.*class="line opened"|class="line opened"|>0 · 0\.0%/);
  });

  it('is told of single campaigns where others are tracked', () => {
    const row = { ...EMPTY, campaign_id: 7, campaign_name: 'Spring', rotation_id: null, sent: 3 };
    const rows = [row, untracked({ ...row, campaign_id: 8 })];
    const text = reportText({ by: 'campaign', since: null, until: null, rows, total: reports.step.total, answers: ANSWERS });
    expect(text).toContain('A dash instead of opens or clicks: the campaign does not track them.');
  });
});

import type { Answers } from '../../../src/reports/answers.ts';
import { compare } from '../../../src/reports/comparison.ts';
import type { CampaignReport } from '../../../src/reports/index.ts';
import type { ReportPage } from '../../../src/reports/page/report-page.ts';
import { proportion } from '../../../src/reports/proportion.ts';
import { type Counts, reportRow, sumOf } from '../../../src/reports/report-row.ts';

export const TRACKED = { opened: true, clicked: true };

/** Returns the counts of a row from shares of the emails sent. */
function counts(sent: number, opened: number, clicked: number, replied: number): Counts {
  const part = (share: number) => Math.round(sent * share);
  return {
    ...sumOf([]),
    ...{ sent, contacts: sent, returned: part(0.02), contacts_returned: part(0.02), bounced: part(0.03), refused: part(0.01) },
    ...{ opened: part(opened), emails_opened: part(opened), clicked: part(clicked), emails_clicked: part(clicked) },
    ...{ replied: part(replied), auto_replied: part(0.04), unsubscribed: part(0.01), failed: part(0.005), machine_opened: part(0.3) },
  };
}

const share = (count: number) => proportion(count, 1_186);
export const ANSWERS: Answers = {
  ...{ answered: share(55), positive: share(21), asked_to_stop: share(9) },
  labels: [
    { label: null, is_positive: false, contacts: 40, rate: share(40) },
    { label: 'interested', is_positive: true, contacts: 21, rate: share(21) },
  ],
};

type Rows = [object, Counts][];
const report = (by: CampaignReport['by'], rows: Rows): CampaignReport => {
  const holds = by === 'day' ? 'emails' : by === 'step' ? 'step' : 'contacts';
  const made = rows.map(([key, row]) => ({ ...key, ...reportRow(row, holds, TRACKED) }));
  return {
    by,
    since: null,
    until: null,
    rows: made,
    total: reportRow(sumOf(rows.map(([, row]) => row)), 'contacts', TRACKED),
    answers: ANSWERS,
  };
};

const day = (index: number) => new Date(Date.UTC(2026, 2, 2 + index)).toISOString().slice(0, 10);

/** Everything that a page of a campaign with three steps, two variants, two accounts and 20 domains shows. */
export function sampleReports(): Record<Exclude<CampaignReport['by'], 'week'>, CampaignReport> {
  const variants: Rows = [
    [{ variant: 'A' }, counts(612, 0.41, 0.08, 0.05)],
    [{ variant: 'B' }, counts(598, 0.47, 0.12, 0.075)],
  ];
  const days: Rows = Array.from({ length: 26 }, (_, index): Rows[number] => [
    { day: day(index) },
    counts(index % 7 > 4 ? 0 : 40 + ((index * 17) % 30), 0.3 + (index % 5) / 20, 0.1, 0.06),
  ]).filter(([, row]) => row.sent > 0);
  const domains: Rows = Array.from({ length: 20 }, (_, index): Rows[number] => [
    { domain: index === 0 ? 'gmail.com' : `company-number-${index}.example` },
    counts(Math.round(400 / (index + 1)), 0.5 - index / 50, 0.1, 0.05),
  ]);
  const variant = report('variant', variants);
  return {
    step: report('step', [
      [{ step_order: 1 }, counts(620, 0.45, 0.1, 0.04)],
      [{ step_order: 2 }, counts(401, 0.38, 0.09, 0.06)],
      [{ step_order: 3 }, counts(189, 0.3, 0.05, 0.08)],
    ]),
    variant: { ...variant, comparison: compare(variant.rows[0], variant.rows[1]) },
    day: report('day', days),
    account: report('account', [
      [{ account_id: 3, account_email: 'anna@us.example' }, counts(640, 0.44, 0.1, 0.05)],
      [{ account_id: 4, account_email: 'ben@us.example' }, counts(570, 0.4, 0.09, 0.07)],
    ]),
    provider: report('provider', [
      [{ provider: 'google' }, counts(506, 0.46, 0.11, 0.06)],
      [{ provider: 'microsoft' }, counts(430, 0.39, 0.09, 0.05)],
      [{ provider: 'other' }, counts(262, 0.42, 0.1, 0.07)],
      [{ provider: 'unknown' }, counts(12, 0.33, 0, 0)],
    ]),
    domain: report('domain', [...domains, [{ domain: null }, counts(300, 0.35, 0.08, 0.05)]]),
  };
}

/** Everything that the page of that campaign shows. */
export function samplePage(name = 'Spring fair', { day, step, variant, account, provider, domain } = sampleReports()): ReportPage {
  return {
    ...{ name, about: 'The campaign is active', timezone: 'Europe/Berlin', madeAt: '2026-03-28 09:00 UTC' },
    byDay: day,
    reports: [step, variant, account, provider, domain],
  };
}

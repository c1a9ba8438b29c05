import { stripVTControlCharacters } from 'node:util';
import { render } from 'ink-testing-library';
import { expect, it } from 'vitest';
import { panelLines, ReportPanel, type Reports } from '../../src/dashboard/report-panel.tsx';
import { sparkline } from '../../src/terminal/format.ts';

/** The dashboard's campaign page shows the report's numbers, sparklines by day, and variants with their interval. */

const share = (rate: number) => ({ count: 100 * rate, of: 100, rate, low: rate - 0.05, high: rate + 0.05 });
const rates = (replied: number) => ({
  opened: share(0.5),
  clicked: share(0.2),
  replied: share(replied),
  bounced: null,
  unsubscribed: null,
});
const counts = {
  contacts: 100,
  sent: 1_200,
  delivered: 1_190,
  replied: 10,
  rates_of: 'persons' as const,
  tracked: { opened: true, clicked: true },
};
const reports = {
  byVariant: {
    rows: [
      { variant: 'A', ...counts, rates: rates(0.1) },
      { variant: 'B', ...counts, rates: rates(0.2) },
    ],
    total: { ...counts, rates: rates(0.15) },
    comparison: [{ rate: 'replied', difference: 0.1, low: 0.01, high: 0.19, probability_b_better: 0.97, too_few: false }],
  },
  byDay: {
    rows: [
      { day: '2026-07-01', ...counts, sent: 8, replied: 0 },
      { day: '2026-07-07', ...counts, sent: 80, replied: 2 },
    ],
  },
} as unknown as Reports;
const variants = (['A', 'B'] as const).map((variant) => ({
  variant,
  contacts: 100,
  sent: 100,
  opened: 50,
  clicked: 20,
  replied: 10,
  bounced: 0,
}));

const lines = (isTall: boolean, of = reports) => {
  const panel = <ReportPanel reports={of} variants={variants} width={100} now="2026-07-07 12:00:00" isTall={isTall} />;
  return stripVTControlCharacters(render(panel).lastFrame() ?? '').split('\n');
};

it('a sparkline is as high as the share of the largest; nothing is a dot', () => {
  expect(sparkline([0, 1, 4, 8])).toBe('·▁▄█');
  expect(sparkline([0, 0])).toBe('··');
  expect(sparkline([3])).toBe('█');
});

it('totals, what was sent and answered by day, variants with their intervals, and which is better', () => {
  const [totals, sent, replied, heading, a, b, better] = lines(true);
  expect(totals).toBe('1,200 sent  1,190 delivered  opened 50.0%  clicked 20.0%  replied 15.0%  bounced –');
  expect(sent).toBe(`Sent    ${'·'.repeat(23)}▁·····█  at most 80 a day since 2026-06-08`);
  expect(replied).toBe(`Replied ${'·'.repeat(29)}█  at most 2 a day since 2026-06-08`);
  expect(heading).toMatch(/Variant +Contacts +Opened +Clicked +Replied +Bounced/);
  expect(a).toMatch(/A +100 +50\.0% \(45\.0–55\.0\) +20\.0% \(15\.0–25\.0\) +10\.0% \(5\.0–15\.0\) +–/);
  expect(b).toMatch(/B +100 .* 20\.0% \(15\.0–25\.0\) +–/);
  expect(better).toContain('replied: B +10.0 points (+1.0 to +19.0); B is better with a probability of 97.0%');
});

it('takes the lines that it says, with less on a small terminal and before anything was sent', () => {
  const empty = { byVariant: { rows: [], total: reports.byVariant.total }, byDay: { rows: [] } } as unknown as Reports;
  for (const [of, isTall] of [
    [reports, true],
    [reports, false],
    [empty, true],
  ] as const)
    expect(lines(isTall, of)).toHaveLength(panelLines({ reports: of, variants, isTall }));
  expect(lines(true, empty)[2]).toMatch(/A +100 +– +– +– +–/);
});

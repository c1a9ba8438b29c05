import { comparisonText, withInterval } from '../../core/share-text.ts';
import { terminalLine } from '../../core/terminal-text.ts';
import type { Answers } from '../../reports/index.ts';
import { type AnyReport, comparisonsOf, keyOfRow, type ShownCounts, shownRow, trackingNote } from '../../reports/page/index.ts';
import { table } from '../../terminal/table.ts';

type Share = NonNullable<Answers['answered']>;

const COUNTS = [
  ...['contacts', 'sent', 'delivered', 'opened', 'clicked', 'replied', 'auto_replied', 'bounced', 'failed', 'unsubscribed'],
  'machine_opened',
] as const;
const CHARTED = ['opened', 'clicked', 'replied', 'bounced'] as const;

/** Explains why the counts of later steps look low beside their rates. */
const BY_STEP = 'The table counts a contact once, at the step where it happened first. The charts show each step by itself.';

/** Width of the longest bar in columns. */
const WIDTH = 30;
const MAX_KEY = 40;
/** A column of the terminal, filled from the left by eighths. */
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A report for the terminal: the counts as a table, and a chart of bars for each rate. */
export function reportText(report: AnyReport): string {
  if (report.rows.length === 0) return 'No emails were sent.';
  const rows = [
    ...report.rows.map((row) => ({ key: keyOfRow(report.by, row), ...shownRow(row) })),
    { key: 'total', ...shownRow(report.total) },
  ];
  const note = trackingNote(report);
  const counts = table(
    rows.map(({ key, ...row }) => ({ ...row, [report.by]: key })),
    [report.by, ...COUNTS],
  );
  const charts = CHARTED.map((rate) => chart(rate, rows)).filter((text) => text !== '');
  const compared = comparisonsOf(report).map(comparisonText);
  const answers = report.answers.labels.length > 0 ? [answersText(report.answers)] : [];
  const notes = [...(report.by === 'step' && report.rows.length > 1 ? [BY_STEP] : []), ...(note === null ? [] : [note])];
  return [counts, ...notes, ...answers, ...charts, ...(compared.length > 0 ? [compared.join('\n')] : [])].join('\n\n');
}

/** Who replied, by labels. */
export function answersText({ answered, positive, asked_to_stop: stops, labels }: Answers): string {
  const row = (who: string, share: Share | null) => ({
    who,
    contacts: share?.count ?? 0,
    share: share === null ? '-' : withInterval(share),
  });
  const rows = [
    row('replied, not to stop', answered),
    row('positive', positive),
    row('asked to stop', stops),
    ...labels.map(({ label, is_positive, rate }) =>
      row(`${label === null ? 'no label' : `label ${label}`}${is_positive ? ' (positive)' : ''}`, rate),
    ),
  ];
  return table(rows, ['who', 'contacts', 'share']);
}

function chart(rate: (typeof CHARTED)[number], rows: readonly (ShownCounts & { key: string })[]): string {
  const shares = rows.map(({ key, rates }) => ({ key: terminalLine(key).slice(0, MAX_KEY), share: rates[rate] }));
  const longest = Math.max(...shares.map(({ share }) => share?.rate ?? 0));
  if (longest === 0) return '';
  const width = Math.max(...shares.map(({ key }) => key.length));
  const lines = shares.map(({ key, share }) => {
    const drawn = share === null ? '' : bar((WIDTH * share.rate) / longest);
    return `  ${key.padEnd(width)}  ${drawn.padEnd(WIDTH)}  ${share === null ? '-' : withInterval(share)}`;
  });
  return [`${rate.toUpperCase()}, with the 95% interval`, ...lines].join('\n');
}

function bar(columns: number): string {
  const eighths = Math.round(columns * 8);
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '');
}

import { percent } from '../../core/share-text.ts';
import { at, cut, picture, text, WIDTH } from './figure.ts';
import { linearScale } from './scale.ts';
import type { ShownCounts } from './shown-row.ts';

/** Maximum rows of a picture. The table has all. */
const MAX_ROWS = 12;

const LEFT = 180;
const GAP = 36;
const TOP = 46;
const ROW = 26;
const BOTTOM = 8;
const MAX_LABEL = 23;

const RATES = ['opened', 'clicked', 'replied'] as const;
type Rate = (typeof RATES)[number];
type Row = ShownCounts & { key: string };

/** Draws the rates of each row as points with their 95% intervals, in a column for each rate with its own scale. */
export function ratesChart(id: string, title: string, all: readonly Row[]): string {
  const rows = all.slice(0, MAX_ROWS);
  const width = (WIDTH - LEFT) / RATES.length;
  const labels = rows.map(({ key }, index) =>
    text(`class="label" x="${LEFT - 12}" y="${at(middleOf(index))}" text-anchor="end" dominant-baseline="central"`, cut(key, MAX_LABEL)),
  );
  const columns = RATES.map((rate, index) => column(rate, rows, LEFT + index * width, LEFT + (index + 1) * width - GAP));
  const described = rows.map(({ key, rates }) => `${key}: ${RATES.map((rate) => `${rate} ${rateText(rates[rate]?.rate)}`).join(', ')}`);
  const left = all.length > rows.length ? ` The first ${rows.length} of ${all.length} rows.` : '';
  const caption = { id, title, description: `${described.join('; ')}.${left}` };
  return picture(caption, [...labels, ...columns].join('\n'), TOP + rows.length * ROW + BOTTOM);
}

const rateText = (rate: number | undefined): string => (rate === undefined ? 'none' : percent(rate));
const middleOf = (index: number): number => TOP + index * ROW + ROW / 2;

function column(rate: Rate, rows: readonly Row[], left: number, right: number): string {
  const most = Math.max(0.01, ...rows.map(({ rates }) => rates[rate]?.high ?? 0));
  const x = linearScale(most, [left, right], 2);
  const bottom = TOP + rows.length * ROW;
  const ticks = x.ticks.map(
    (tick) =>
      `<line class="grid" x1="${at(x(tick))}" x2="${at(x(tick))}" y1="${TOP - 6}" y2="${bottom}"/>` +
      text(`x="${at(x(tick))}" y="${TOP - 12}" text-anchor="middle"`, `${Math.round(1000 * tick) / 10}%`),
  );
  const points = rows.map(({ rates }, index) => {
    const share = rates[rate];
    if (share === null) return '';
    const y = at(middleOf(index));
    return `<line class="interval" x1="${at(x(share.low))}" x2="${at(x(share.high))}" y1="${y}" y2="${y}"/><circle class="a" cx="${at(x(share.rate))}" cy="${y}" r="4.5"/>`;
  });
  return [text(`class="head" x="${at(left)}" y="14"`, rate), ...ticks, ...points].join('');
}

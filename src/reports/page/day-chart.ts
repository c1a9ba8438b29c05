import type { CampaignReport } from '../campaign-report.ts';
import { at, picture, text, WIDTH } from './figure.ts';
import { linearScale, roundStep } from './scale.ts';

const LEFT = 60;
const RIGHT = 10;
const TOP = 34;
const HEIGHT = 200;
const BOTTOM = 36;
/** Width of a day's label, in units. */
const LABEL = 90;
/** The share of a day's width that its bar takes. */
const BAR = 0.8;

/** Returns every day between the first and the last of a report by day, with its emails. */
export function daysOf(rows: CampaignReport['rows']): { day: string; delivered: number; opened: number; replied: number }[] {
  const [first, last] = [rows[0]?.day, rows.at(-1)?.day];
  if (first === undefined || last === undefined) return [];
  const known = new Map(rows.map((row) => [row.day, row]));
  const days: string[] = [];
  for (let day = new Date(`${first}T00:00:00Z`); day <= new Date(`${last}T00:00:00Z`); day.setUTCDate(day.getUTCDate() + 1))
    days.push(day.toISOString().slice(0, 10));
  return days.map((day) => {
    const row = known.get(day);
    return { day, delivered: row?.delivered ?? 0, opened: row?.rates.opened?.count ?? 0, replied: row?.rates.replied?.count ?? 0 };
  });
}

/** Draws bars for the emails delivered on each day, and lines for replies and, if they are tracked, opens. */
export function dayChart(rows: CampaignReport['rows'], hasOpens: boolean): string {
  const lines = hasOpens ? (['opened', 'replied'] as const) : (['replied'] as const);
  const days = daysOf(rows);
  const width = (WIDTH - LEFT - RIGHT) / days.length;
  const middle = (index: number) => LEFT + (index + 0.5) * width;
  const largest = Math.max(1, ...days.map(({ delivered }) => delivered));
  const step = roundStep(largest / 4);
  const y = linearScale(Math.ceil(largest / step) * step, [TOP + HEIGHT, TOP], 4);
  const every = Math.ceil(LABEL / width);
  const path = (kind: 'opened' | 'replied') => `M${days.map((each, index) => `${at(middle(index))},${at(y(each[kind]))}`).join('L')}`;
  const content = [
    ...y.ticks.filter(Number.isInteger).map((tick) => gridLine(tick, y(tick))),
    ...days.map(({ delivered }, index) => {
      const top = y(delivered);
      return `<rect class="bar" x="${at(middle(index) - (BAR * width) / 2)}" y="${at(top)}" width="${at(BAR * width)}" height="${at(TOP + HEIGHT - top)}"/>`;
    }),
    ...lines.map((kind) => `<path class="line ${kind}" d="${path(kind)}"/>`),
    ...(hasOpens ? days.map(({ opened }, index) => `<circle class="a" cx="${at(middle(index))}" cy="${at(y(opened))}" r="2.5"/>`) : []),
    // A line through a single day would be invisible.
    ...days.map(({ replied }, index) => square(middle(index), y(replied))),
    ...days.flatMap(({ day }, index) =>
      index % every === 0 ? text(`x="${at(middle(index))}" y="${TOP + HEIGHT + 26}" text-anchor="middle"`, day.slice(5)) : [],
    ),
    legend(hasOpens),
  ];
  const all = (kind: 'delivered' | 'opened' | 'replied') => days.reduce((sum, each) => sum + each[kind], 0);
  const description = `From ${days[0]?.day} to ${days.at(-1)?.day}: ${all('delivered')} emails delivered, ${hasOpens ? `${all('opened')} of them opened, ` : ''}${all('replied')} replied to.`;
  return picture(
    { id: 'days', title: 'Emails by the day on which they were sent', description },
    content.join('\n'),
    TOP + HEIGHT + BOTTOM,
  );
}

const square = (x: number, y: number): string => `<rect class="b" x="${at(x - 2.5)}" y="${at(y - 2.5)}" width="5" height="5"/>`;

const gridLine = (tick: number, y: number): string =>
  `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at(y)}" y2="${at(y)}"/>` +
  text(`x="${LEFT - 8}" y="${at(y)}" text-anchor="end" dominant-baseline="central"`, String(tick));

/** The kinds differ in shape, not only in colour. */
function legend(hasOpens: boolean): string {
  const entry = (kind: string, left: number, point: string) =>
    `<path class="line ${kind}" d="M${left},12h24"/>${point}${text(`x="${left + 30}" y="12" dominant-baseline="central"`, kind)}`;
  const replied = LEFT + (hasOpens ? 350 : 180);
  return [
    `<rect class="bar" x="${LEFT}" y="6" width="14" height="12"/>${text(`x="${LEFT + 20}" y="12" dominant-baseline="central"`, 'delivered')}`,
    hasOpens ? entry('opened', LEFT + 180, `<circle class="a" cx="${LEFT + 192}" cy="12" r="2.5"/>`) : '',
    entry('replied', replied, square(replied + 12, 12)),
  ].join('');
}

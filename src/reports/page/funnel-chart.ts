import { grouped } from '../../core/english.ts';
import { percent } from '../../core/share-text.ts';
import type { Rates } from '../report-row.ts';
import { at, picture, text, WIDTH } from './figure.ts';
import type { ShownCounts } from './shown-row.ts';

/** The title of the picture. */
const FUNNEL = { persons: 'Contacts by how far they came', emails: 'Emails by what has come of them' };

const LEFT = 130;
/** Room for a figure with its share, in the larger letters of a phone. */
const RIGHT = 190;
const ROW = 34;
const BAR = 22;

/**
 * Returns the stages from being sent an email to replying, in contacts, or in emails if only some days are counted. Opens are seen only for
 * people who load images, so more may click than open. Untracked stages are left out. The shares are those of the table, with the delivered
 * emails as their base.
 */
function stagesOf(total: ShownCounts): { stage: string; count: number; share?: number | undefined }[] {
  const { rates, rates_of: unit, contacts, sent, delivered, tracked } = total;
  const emailed = unit === 'persons' ? contacts : sent;
  const received = rates.replied?.of ?? delivered;
  const stage = (name: string, rate: Rates['replied']) => ({ stage: name, count: rate?.count ?? 0, share: rate?.rate });
  return [
    { stage: 'Emailed', count: emailed },
    { stage: 'Delivered', count: received, share: emailed === 0 ? undefined : received / emailed },
    ...(tracked.opened ? [stage('Opened', rates.opened)] : []),
    ...(tracked.clicked ? [stage('Clicked', rates.clicked)] : []),
    stage('Replied', rates.replied),
  ];
}

export function funnelChart(total: ShownCounts): string {
  const stages = stagesOf(total);
  const most = Math.max(1, ...stages.map(({ count }) => count));
  const rows = stages.map(({ stage, count, share }, index) => {
    const top = index * ROW + 6;
    const middle = at(top + BAR / 2);
    const length = (count / most) * (WIDTH - LEFT - RIGHT);
    return [
      text(`class="label" x="${LEFT - 10}" y="${middle}" text-anchor="end" dominant-baseline="central"`, stage),
      `<rect class="a" x="${LEFT}" y="${at(top)}" width="${at(length)}" height="${BAR}" rx="3"/>`,
      text(
        `x="${at(LEFT + length + 8)}" y="${middle}" dominant-baseline="central"`,
        `${grouped(count)}${share === undefined ? '' : ` · ${percent(share)}`}`,
      ),
    ].join('');
  });
  const description = stages.map(({ stage, count }) => `${stage} ${count}`).join(', ');
  return picture({ id: 'funnel', title: FUNNEL[total.rates_of], description: `${description}.` }, rows.join('\n'), stages.length * ROW + 6);
}

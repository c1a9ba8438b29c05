import { grouped } from '../../core/english.ts';
import { percent } from '../../core/share-text.ts';
import { terminalText } from '../../core/terminal-text.ts';
import { escapeHtml } from '../../html/page.ts';
import type { Proportion } from '../proportion.ts';
import type { ShownCounts } from './shown-row.ts';

type Row = ShownCounts & { key: string };

const rate = ({ rate: share, low, high }: Proportion): string => `${percent(share)} (${(100 * low).toFixed(0)}–${(100 * high).toFixed(0)})`;

const COUNTS = ['sent', 'delivered'] as const;
const SHARES = ['opened', 'clicked', 'replied', 'bounced', 'unsubscribed'] as const;
const MINOR_COUNTS = ['auto_replied', 'failed', 'machine_opened', 'machine_clicked'] as const;
const NAMES: Record<(typeof MINOR_COUNTS)[number], string> = {
  auto_replied: 'auto-replied',
  failed: 'failed',
  machine_opened: 'machine opens',
  machine_clicked: 'machine clicks',
};

const FIGURES = [...COUNTS, ...SHARES, ...MINOR_COUNTS.map((name) => NAMES[name])];

/** Renders the figures behind a picture as a table. @param of the heading of the first column */
export function countsTable(caption: string, of: string, rows: readonly Row[], total: ShownCounts): string {
  const heads = [of, ...FIGURES];
  const body = [...rows, { key: 'Total', ...total }].map(tableRow).join('\n');
  return `<div class="scroll figures" role="region" tabindex="0" aria-label="${escapeHtml(caption)}">
<table>
<caption>${escapeHtml(caption)}</caption>
<thead><tr>${heads.map((head) => `<th scope="col">${escapeHtml(head)}</th>`).join('')}</tr></thead>
<tbody>
${body}
</tbody>
</table>
</div>`;
}

function tableRow({ key, rates, ...row }: Row): string {
  const shares = SHARES.map((name) => shareCell(rates[name]));
  const cells = [...COUNTS.map((name) => number(row[name])), ...shares, ...MINOR_COUNTS.map((name) => number(row[name]))];
  // A phone has no room for headings, so it shows each figure with its name.
  const named = cells.map((cell, index) => `<td data-name="${FIGURES[index]}">${cell}</td>`);
  return `<tr><th scope="row">${escapeHtml(terminalText(key))}</th>${named.join('')}</tr>`;
}

const number = (count: number | null): string => (count === null ? '–' : grouped(count));

const shareCell = (share: Proportion | null): string => (share === null ? '–' : `${number(share.count)}<small>${rate(share)}</small>`);

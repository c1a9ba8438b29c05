import { grouped } from '../../core/english.ts';
import { percent } from '../../core/share-text.ts';
import { terminalText } from '../../core/terminal-text.ts';
import { escapeHtml } from '../../html/page.ts';
import type { Answers } from '../answers.ts';

/** A person whose reply has a positive label. */
export interface Answerer {
  name: string;
  company: string | null;
  label: string;
  /** The day in the zone of the campaign, `YYYY-MM-DD`. */
  day: string;
}

/** Renders the contacts who replied, by label, and their names if they are shown. */
export function answersSection({ answered, positive, asked_to_stop: stops, labels }: Answers, people: readonly Answerer[] = []): string {
  const rows = [
    ['Replied, not to stop', answered],
    ['Positive', positive],
    ['Asked to get no more email', stops],
    ...labels.map(
      ({ label, is_positive, rate }) => [`${label === null ? 'No label' : `“${label}”`}${is_positive ? ', positive' : ''}`, rate] as const,
    ),
  ] as const;
  const body = rows.map(
    ([who, share]) =>
      `<tr><th scope="row">${escapeHtml(terminalText(who))}</th><td>${grouped(share?.count ?? 0)}</td><td>${share === null ? '–' : percent(share.rate)}</td></tr>`,
  );
  const named = people.map(({ name, company, label, day }) => {
    const cells = [company ?? '', label, day].map((text) => `<td>${escapeHtml(terminalText(text))}</td>`);
    return `<tr><th scope="row">${escapeHtml(terminalText(name))}</th>${cells.join('')}</tr>`;
  });
  return [
    '<h2>Replies</h2>',
    table('Contacts who replied', ['', 'contacts', 'share'], body),
    ...(named.length === 0 ? [] : [table('Who replied positively', ['name', 'company', 'label', 'day'], named, ' words')]),
  ].join('\n');
}

const table = (caption: string, heads: readonly string[], rows: readonly string[], kind = ''): string => `<div class="scroll narrow${kind}">
<table>
<caption>${escapeHtml(caption)}</caption>
<thead><tr>${heads.map((head) => (head === '' ? '<td></td>' : `<th scope="col">${head}</th>`)).join('')}</tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
</div>`;

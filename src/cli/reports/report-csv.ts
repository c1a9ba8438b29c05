import type { Answers } from '../../reports/index.ts';
import { type AnyReport, shownRow } from '../../reports/page/index.ts';
import { csv } from '../list-output.ts';

/**
 * Formats a report as CSV: a line for each row, and columns for each rate and its interval. Cells of what is not tracked are empty. There is no
 * line for the total, which is the sum of the rows.
 */
export function reportCsv(report: AnyReport): string {
  const rows = report.rows.map(shownRow).map(({ rates, tracked: _, ...row }) => ({
    ...row,
    ...Object.fromEntries(
      Object.entries(rates).flatMap(([name, share]) =>
        (['count', 'of', 'rate', 'low', 'high'] as const).map((part) => [
          `${name}_${part === 'rate' ? 'rate' : `rate_${part}`}`,
          share?.[part],
        ]),
      ),
    ),
  }));
  return csv(rows, Object.keys(rows[0] ?? {}));
}

/** Who replied, by labels, as CSV: a line for each group, with its share of those who were reached. */
export function answersCsv({ answered, positive, asked_to_stop: stops, labels }: Answers): string {
  const rows = [
    ...Object.entries({ answered, positive, asked_to_stop: stops }).map(([who, rate]) => ({ who, contacts: rate?.count ?? 0, ...rate })),
    ...labels.map(({ label, is_positive, contacts, rate }) => ({
      who: label === null ? 'no_label' : 'label',
      label,
      is_positive,
      contacts,
      ...rate,
    })),
  ];
  return csv(rows, ['who', 'label', 'is_positive', 'contacts', 'of', 'rate', 'low', 'high']);
}

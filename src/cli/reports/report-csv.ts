import { type AnyReport, shownRow } from '../../reports/page/index.ts';
import { csv } from '../list-output.ts';

/** A report as CSV: a line for each row, each rate with its interval in columns of its own. What is not tracked is empty. The total is the sum of the rows. */
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

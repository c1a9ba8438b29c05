import type { ReportCounts } from '../../reports/index.ts';
import { csv } from '../list-output.ts';
import type { AnyReport } from './row-key.ts';

const RATES: readonly (keyof ReportCounts['rates'])[] = ['opened', 'clicked', 'replied', 'bounced', 'unsubscribed'];

/** A report as CSV: a line for each row, each rate with its interval in columns of its own. The total is the sum of the rows. */
export function reportCsv(report: AnyReport): string {
  const rows = report.rows.map(({ rates, ...row }) => ({
    ...row,
    ...Object.fromEntries(
      RATES.flatMap((name) =>
        (['count', 'of', 'rate', 'low', 'high'] as const).map((part) => [
          `${name}_${part === 'rate' ? 'rate' : `rate_${part}`}`,
          rates[name]?.[part],
        ]),
      ),
    ),
  }));
  return csv(rows, Object.keys(rows[0] ?? {}));
}

import type { AnyReport } from '../../reports/page/index.ts';
import { printAsIs } from '../terminal.ts';

/** Prints a report as the flags of its command ask for it. By label, it prints who answered. */
export async function printReport(
  command: { log(text: string): void },
  report: AnyReport,
  { by, csv }: { by: string; csv: boolean },
): Promise<void> {
  if (by === 'label') command.log((await import('./report-text.ts')).answersText(report.answers));
  else if (csv) printAsIs((await import('./report-csv.ts')).reportCsv(report));
  else command.log((await import('./report-text.ts')).reportText(report));
}

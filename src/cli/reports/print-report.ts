import type { AnyReport } from '../../reports/page/index.ts';
import { printAsIs, say } from '../terminal.ts';

/** Prints a report in the format of the flags. By label, prints who answered. */
export async function printReport(
  command: { log(text: string): void },
  report: AnyReport,
  { by, csv }: { by: string; csv: boolean },
): Promise<void> {
  const isOfAnswers = by === 'label';
  if (csv && report.rows.length === 0 && !isOfAnswers) {
    // Without rows there are no columns: a pipe gets nothing.
    say('No emails were sent.');
  } else if (csv) {
    const { answersCsv, reportCsv } = await import('./report-csv.ts');
    printAsIs(isOfAnswers ? answersCsv(report.answers) : reportCsv(report));
  } else {
    const { answersText, reportText } = await import('./report-text.ts');
    command.log(isOfAnswers ? answersText(report.answers) : reportText(report));
  }
}

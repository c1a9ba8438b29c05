import type { App } from '../app.ts';
import type { Tx } from '../db/transaction.ts';
import { keepDomainReport } from '../health/index.ts';
import type { ReadMessage } from '../mail/classify/index.ts';

type Report = NonNullable<ReadMessage['report']>;

/** True for a report about a domain that could be read. */
export const isReport = (report: Report | null): report is Exclude<Report, { refused: string }> =>
  report !== null && !('refused' in report);

/** The outcome of a report about a domain that a message contains, in one line. */
export const reportReason = (report: Report): string =>
  isReport(report)
    ? `a report of ${report.reporter} about ${report.domain}`
    : `a report about a domain, which can't be read: ${report.refused}`;

/** Keeps the report that a message contains, in the transaction that records the message. */
export async function keepReport(tx: Tx, app: App, found: { workspaceId: number; accountId: number }, report: Report): Promise<void> {
  if (isReport(report)) await keepDomainReport(tx, app, found.workspaceId, report);
  else {
    const line = { account: found.accountId, reason: report.refused };
    tx.afterCommit(async () => app.log.warn(line, 'a report about a domain could not be read'));
  }
}

import type { App } from '../app.ts';
import type { Tx } from '../db/transaction.ts';
import { keepDomainReport } from '../health/index.ts';
import type { ReadMessage } from '../mail/classify/index.ts';

type Report = NonNullable<ReadMessage['report']>;

/** Returns true for a readable domain report. */
export const isReport = (report: Report | null): report is Exclude<Report, { refused: string }> =>
  report !== null && !('refused' in report);

/** Describes the domain report of a message in one line. */
export const reportReason = (report: Report): string =>
  isReport(report)
    ? `a report from ${report.reporter} about ${report.domain}`
    : `a report about a domain, which can't be read: ${report.refused}`;

/** Stores the domain report of a message, in the transaction that records the message. */
export async function keepReport(tx: Tx, app: App, found: { workspaceId: number; accountId: number }, report: Report): Promise<void> {
  if (isReport(report)) await keepDomainReport(tx, app, found.workspaceId, report);
  else {
    const line = { account: found.accountId, reason: report.refused };
    tx.afterCommit(async () => app.log.warn(line, 'a report about a domain could not be read'));
  }
}

import type { Caller } from '../access/index.ts';
import type { App } from '../app.ts';
import { type CallRow, listCalls } from '../campaigns/index.ts';
import { type QueueState, readQueueState } from '../monitoring/index.ts';
import { type AccountLine, readAccountLines } from './account-lines.ts';
import { readCampaignLines } from './campaign-lines.ts';
import type { FinishedCounts } from './finished-counts.ts';
import { type GroupLine, groupLines } from './group-lines.ts';

/** Everything the dashboard shows besides events. */
export interface Overview {
  campaigns: GroupLine[];
  accounts: AccountLine[];
  calls: CallRow[];
  queue: QueueState;
}

/** Maximum number of rows of each kind. Those that are active or need attention come first; the rest is left out. */
const MAX_LINES = 500;

/** Reads everything that the caller may see of the installation. */
export async function readOverview(app: App, caller: Caller, now: Date, counts: FinishedCounts): Promise<Overview> {
  const { db } = app;
  const [campaigns, accounts, calls, queue] = await Promise.all([
    readCampaignLines(app, caller, now, MAX_LINES).then(async (lines) => groupLines(await counts.fill(db, lines))),
    readAccountLines(db, caller, now, MAX_LINES),
    listCalls(db, caller, { all: false }, { limit: MAX_LINES, offset: 0 }),
    readQueueState(db, caller, now),
  ]);
  return { campaigns, accounts, calls: calls.data, queue };
}

import type { QueueState } from '../monitoring/index.ts';
import type { AccountLine } from './account-lines.ts';
import type { GroupLine } from './group-lines.ts';
import type { Overview } from './overview.ts';

type CallLine = Overview['calls'][number];

/** Rows that are new or have changed, and the ids of those that are gone. */
export interface Changed<Row> {
  rows: Row[];
  gone: number[];
}

export interface OverviewChanges {
  campaigns: Changed<GroupLine>;
  accounts: Changed<AccountLine>;
  calls: Changed<CallLine>;
  queue: QueueState;
}

const EMPTY_OVERVIEW: Overview = {
  campaigns: [],
  accounts: [],
  calls: [],
  queue: { in_flight: 0, unknown: 0, batches_due: 0, batch_lag_seconds: 0, polls_due: 0, poll_lag_seconds: 0 },
};

/** Computes the changes from the earlier overview to the later one; everything if there is no earlier one. */
export function changesBetween(earlier: Overview | undefined, later: Overview): OverviewChanges {
  const before = earlier ?? EMPTY_OVERVIEW;
  return {
    campaigns: changedRows(before.campaigns, later.campaigns),
    accounts: changedRows(before.accounts, later.accounts),
    calls: changedRows(before.calls, later.calls),
    queue: later.queue,
  };
}

function changedRows<Row extends { id: number }>(before: readonly Row[], after: readonly Row[]): Changed<Row> {
  const known = new Map(before.map((row) => [row.id, JSON.stringify(row)]));
  const rows = after.filter((row) => known.get(row.id) !== JSON.stringify(row));
  const stays = new Set(after.map((row) => row.id));
  return { rows, gone: before.filter((row) => !stays.has(row.id)).map((row) => row.id) };
}

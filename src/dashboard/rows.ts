import type { Key } from 'ink';
import type { AccountLine, GroupLine, LiveEvent } from '../live/index.ts';
import type { CallLine, DashboardState } from './state.ts';

/** The rows of each view that match the filter; replies are loaded page by page, see `ReplyBook`. */
export interface ViewRows {
  campaigns: readonly GroupLine[];
  accounts: readonly AccountLine[];
  events: readonly LiveEvent[];
  calls: readonly CallLine[];
}

/** Selects the rows that contain every word of the filter, ignoring case. */
export function rowsOf(state: DashboardState, filter: string): ViewRows {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = <Row>(rows: readonly Row[], text: (row: Row) => string): readonly Row[] =>
    words.length === 0 ? rows : rows.filter((row) => words.every((word) => text(row).toLowerCase().includes(word)));
  const eventText = (event: LiveEvent) =>
    `${event.type} ${event.contact_name} ${event.contact_email} ${event.campaign_name} ${event.snippet ?? ''}`;
  return {
    campaigns: matching(
      state.campaigns,
      (row) => `${row.name} ${row.status} ${row.account_email} ${row.members.map((member) => member.account_email).join(' ')}`,
    ),
    accounts: matching(state.accounts, (row) => `${row.email} ${row.status} ${row.pause_reason ?? ''} ${row.pause_message ?? ''}`),
    events: matching(state.events, eventText),
    calls: matching(state.calls, (row) => `${row.name} ${row.email} ${row.company ?? ''} ${row.campaign_name}`),
  };
}

/** Returns the id of the row that a key moves to; null if it is not a movement key. @param page number of visible rows */
export function moveSelection(
  rows: readonly { id: number }[],
  selected: number | null,
  input: string,
  key: Key,
  page: number,
): number | null {
  const index = Math.max(
    0,
    rows.findIndex((row) => row.id === selected),
  );
  const target = targetOf(index, rows.length - 1, input, key, page);
  return target === null ? null : (rows[Math.min(Math.max(0, target), rows.length - 1)]?.id ?? null);
}

/** Returns the index that a key moves to, which may be out of range; null if it is not a movement key. */
export function targetOf(index: number, last: number, input: string, key: Key, page: number): number | null {
  if (key.upArrow || input === 'k') return index - 1;
  if (key.downArrow || input === 'j') return index + 1;
  if (key.pageUp) return index - page;
  if (key.pageDown) return index + page;
  if (key.home || input === 'g') return 0;
  if (key.end || input === 'G') return last;
  return null;
}

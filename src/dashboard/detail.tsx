import { Box } from 'ink';
import type { ReactElement } from 'react';
import type { AccountLine } from '../live/index.ts';
import { shownLine } from '../terminal/text-width.ts';
import type { ViewRows } from './rows.ts';
import type { CallLine } from './state.ts';
import { Text } from './text.tsx';
import type { TableView } from './views.ts';

export const DETAIL_LINES = 3;

/** Details of the selected row below the table: why an account is paused, the notes of a call. */
export function Detail({
  view,
  rows,
  selected,
  width,
}: {
  view: TableView;
  rows: ViewRows;
  selected: number | null;
  width: number;
}): ReactElement {
  const text = detailOf(view, rows, selected);
  return (
    <Box width={width} height={DETAIL_LINES} flexShrink={0} overflow="hidden" paddingLeft={1}>
      <Text>{text}</Text>
    </Box>
  );
}

export const hasDetails = (view: TableView) => view === 'accounts' || view === 'calls';

function detailOf(view: TableView, rows: ViewRows, selected: number | null): string {
  const row = rows[view].find(({ id }) => id === selected);
  if (row === undefined) return '';
  if (view === 'accounts') return accountText(row as AccountLine);
  return callText(row as CallLine);
}

const PAUSE_TEXT: Record<string, string> = {
  manual: 'is paused manually',
  provider_limit: "is paused until its next local day: the provider's sending limit is reached",
  provider_error: 'is paused after an error',
};

function accountText(row: AccountLine): string {
  const why = row.pause_reason === null ? 'is active' : (PAUSE_TEXT[row.pause_reason] ?? row.pause_reason);
  const message = row.pause_message === null ? '' : ` (${shownLine(row.pause_message)})`;
  const poll = row.poll_error === null ? '' : `; its mailbox can't be polled: ${shownLine(row.poll_error)}`;
  const connection = row.connection_error === null ? '' : `; its mail server can't be reached: ${shownLine(row.connection_error)}`;
  return `${row.email} ${why}${message}, hours ${row.window}${connection}${poll}`;
}

const callText = ({ name, company, campaign_name, notes }: CallLine) =>
  `${shownLine(name)}${company === null ? '' : ` at ${shownLine(company)}`} in "${shownLine(campaign_name)}": ${shownLine(notes.replaceAll(/<[^<>]*>/g, ' '))}`;

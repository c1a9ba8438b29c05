import { Box, useApp, useInput, useWindowSize } from 'ink';
import { type ReactElement, useCallback, useEffect, useReducer, useSyncExternalStore } from 'react';
import { messageOf } from '../core/errors.ts';
import { NothingWritten } from '../editor/write-answer.ts';
import { shownLine } from '../terminal/text-width.ts';
import type { Action } from './action.ts';
import { CampaignPage } from './campaign-page.tsx';
import { ACCOUNT_COLUMNS, CALL_COLUMNS, CAMPAIGN_COLUMNS, EVENT_COLUMNS } from './columns.ts';
import type { Api } from './connection.ts';
import { DETAIL_LINES, Detail, hasDetails } from './detail.tsx';
import { Header, Tabs } from './header.tsx';
import { Footer, Help, noticeLines } from './help.tsx';
import type { ReplyBook } from './reply-book.ts';
import { ReplyView } from './reply-view.tsx';
import { rowsOf, type ViewRows } from './rows.ts';
import type { DashboardStore } from './store.ts';
import { Table } from './table.tsx';
import { Text } from './text.tsx';
import { type OpenPage, TextPage } from './text-page.tsx';
import { changeUi, INITIAL_UI, openCampaign, selectedId, type Ui, type UiEvent } from './ui.ts';
import { useReplies } from './use-replies.ts';
import { isTable, type KEYS, type TableView } from './views.ts';

/** The campaigns view also shows the latest events if it has at least this many lines. */
const ROOM_FOR_STREAM = 20;
const STREAM_LINES = 8;
/** Header, tabs and footer. */
const FRAME_LINES = 3;
/** Smallest usable terminal. */
const MIN_LINES = 12;
const MIN_COLUMNS = 70;

/** A constant, because a new object would make the page load again. */
const CALENDAR: OpenPage = { kind: 'calendar' };

interface DashboardProps {
  store: DashboardStore;
  api: Api;
  /** Gives the terminal to another program, or takes it back. */
  handOver?: (isOther: boolean) => Promise<void>;
}

/** The dashboard: a header with the daemon's state, one view at a time, and a footer with the keys. */
export function Dashboard({ store, api, handOver }: DashboardProps): ReactElement {
  const state = useSyncExternalStore(store.subscribe, store.snapshot);
  const [ui, change] = useReducer(changeUi, INITIAL_UI);
  const { columns: width, rows: lines } = useWindowSize();
  const { exit } = useApp();
  const onEnd = useCallback((scroll: number) => change({ type: 'end', scroll }), []);
  const { book, pages, known } = useReplies(api, ui.replies.filter);
  const height = lines;
  const body = height - FRAME_LINES - (hasPrompt(ui) ? 1 : 0) - (noticeLines(ui.notice, width) - 1);

  useInput((input, key) => {
    // Keys pressed faster than they are read arrive as one string.
    for (const character of input === '' ? [''] : input)
      change({ type: 'key', input: character, key, state, page: body - 2, replies: known });
  });
  useEffect(() => {
    if (ui.hasQuit) exit();
  }, [ui.hasQuit, exit]);
  useConfirmed(ui.confirmed, change, api, book, handOver);

  const replies = { ...ui.replies, ...known.selectedNow(ui.replies) };
  const recognised = replies.id === null && replies.index > 0 ? known.at(replies.index) : undefined;
  useEffect(() => {
    if (recognised !== undefined) change({ type: 'recognised', reply: recognised });
  }, [recognised]);

  if (width < MIN_COLUMNS || lines < MIN_LINES)
    return <Text wrap="truncate">{`Terminal too small: ${width}×${lines}, needs ${MIN_COLUMNS}×${MIN_LINES}. Press q to quit.`}</Text>;
  const rows = rowsOf(state, ui.filter);
  const opened = openCampaign(ui, state);
  const page = { api, scroll: ui.scroll, width, height: body, notice: ui.notice, onEnd };
  return (
    <Box flexDirection="column" width={width} height={height}>
      <Header {...state} width={width} />
      <Tabs view={ui.view} counts={{ ...countsOf(rows), replies: pages.unread }} width={width} />
      {ui.mode.kind === 'help' ? (
        <Help height={body} />
      ) : ui.page !== null ? (
        <TextPage page={ui.page} {...page} />
      ) : opened !== undefined ? (
        <CampaignPage key={opened.id} api={api} line={opened} width={width} height={body} now={state.now} notice={ui.notice} />
      ) : ui.view === 'replies' ? (
        <ReplyView ui={replies} pages={pages} book={book} api={api} width={width} height={body} now={state.now} />
      ) : ui.view === 'calendar' ? (
        <TextPage page={CALENDAR} {...page} />
      ) : (
        <ViewBody ui={ui} view={ui.view} rows={rows} width={width} height={body} now={state.now} />
      )}
      <Prompt ui={ui} />
      <Footer view={footerOf(ui, opened !== undefined)} width={width} notice={ui.notice} />
    </Box>
  );
}

/** Makes a confirmed change, and shows its outcome. */
function useConfirmed(
  confirmed: Action | null,
  change: (event: UiEvent) => void,
  api: Api,
  book: ReplyBook,
  handOver: DashboardProps['handOver'],
): void {
  const { suspendTerminal } = useApp();
  useEffect(() => {
    if (confirmed === null) return;
    const { run, done } = confirmed;
    change({ type: 'started' });
    const suspend = (work: () => Promise<void>) =>
      suspendTerminal(async () => {
        await handOver?.(true);
        await work().finally(() => handOver?.(false));
      });
    run(api, suspend)
      .then(
        (notice) => change({ type: 'finished', notice: shownLine(typeof notice === 'string' ? notice : done) }),
        (error: unknown) =>
          change({ type: 'finished', notice: error instanceof NothingWritten ? error.message : `failed: ${shownLine(messageOf(error))}` }),
      )
      .finally(() => book.refresh());
  }, [confirmed, change, api, suspendTerminal, handOver, book]);
}

function footerOf(ui: Ui, isCampaign: boolean): keyof typeof KEYS {
  if (ui.page !== null) return ui.page.kind;
  if (isCampaign) return 'campaign';
  if (ui.view !== 'replies') return ui.view;
  return ui.replies.mode.kind === 'choose' ? 'choice' : ui.replies.open === null ? 'replies' : 'reply';
}

/** The filter applies to the tables, but not to the replies, which the daemon searches, nor to the calendar. */
const hasFilter = (ui: Ui) => isTable(ui.view) && ui.filter !== '';
const isTyping = (ui: Ui) => ui.view === 'replies' && ui.replies.mode.kind === 'type';
const hasPrompt = (ui: Ui) => ui.mode.kind === 'confirm' || ui.mode.kind === 'filter' || hasFilter(ui) || isTyping(ui);

function Prompt({ ui }: { ui: Ui }): ReactElement | null {
  if (!hasPrompt(ui)) return null;
  if (ui.mode.kind === 'confirm') return <Text bold color="yellow" wrap="truncate">{`${shownLine(ui.mode.action.question)} y/n`}</Text>;
  const own = ui.replies.mode;
  if (isTyping(ui) && own.kind === 'type') return <Text wrap="truncate">{`${own.what}: ${own.text}▏`}</Text>;
  return <Text wrap="truncate">{`filter: ${ui.filter}${ui.mode.kind === 'filter' ? '▏' : '   (esc clears it)'}`}</Text>;
}

const COLUMNS = {
  campaigns: CAMPAIGN_COLUMNS,
  accounts: ACCOUNT_COLUMNS,
  events: EVENT_COLUMNS,
  calls: CALL_COLUMNS,
};

const EMPTY: Record<TableView, string> = {
  campaigns: 'No campaigns.',
  accounts: 'No sending accounts; connect one with: outreach account connect',
  events: 'No events yet.',
  calls: 'No calls are due.',
};

interface BodyProps {
  ui: Ui;
  view: TableView;
  rows: ViewRows;
  width: number;
  height: number;
  now: string;
}

/** The table of the view, details of its selected row, and below campaigns the latest events. */
function ViewBody({ ui, view, rows, width, height, now }: BodyProps): ReactElement {
  const selected = selectedId(ui, rows);
  const hasStream = view === 'campaigns' && height >= ROOM_FOR_STREAM;
  const tableHeight = height - (hasStream ? STREAM_LINES + 1 : 0) - (hasDetails(view) ? DETAIL_LINES : 0);
  return (
    <>
      <ViewTable view={view} rows={rows} selected={selected} width={width} height={tableHeight} now={now} />
      {hasDetails(view) && <Detail view={view} rows={rows} selected={selected} width={width} />}
      {hasStream && <Box height={1} />}
      {hasStream && <ViewTable view="events" rows={rows} selected={null} width={width} height={STREAM_LINES} now={now} />}
    </>
  );
}

type ViewTableProps = Omit<BodyProps, 'ui' | 'view'> & { view: TableView; selected: number | null };

function ViewTable({ view, rows, ...rest }: ViewTableProps): ReactElement {
  return <Table rows={rows[view] as never[]} columns={COLUMNS[view] as never[]} empty={EMPTY[view]} {...rest} />;
}

const countsOf = (rows: ViewRows) =>
  Object.fromEntries(Object.entries(rows).map(([name, own]) => [name, own.length])) as Record<TableView, number>;

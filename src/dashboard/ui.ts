import type { Key } from 'ink';
import { shownLine } from '../terminal/text-width.ts';
import type { Action, Proposal } from './action.ts';
import { accountAction, callAction, campaignAction } from './actions.ts';
import type { People } from './reply-actions.ts';
import { type ReplyLine, type SelectedReply, selectedAt } from './reply-book.ts';
import { INITIAL_REPLIES, type RepliesUi, repliesKey } from './reply-ui.ts';
import { moveSelection, rowsOf, targetOf, type ViewRows } from './rows.ts';
import type { DashboardState } from './state.ts';
import type { OpenPage } from './text-page.tsx';
import { isTable, VIEWS, type View } from './views.ts';

/** The part of the dashboard that receives keys. */
type Mode = { kind: 'browse' } | { kind: 'filter' } | { kind: 'help' } | { kind: 'confirm'; action: Action };

/** Everything on the screen that does not come from the daemon: view, filter, selection, prompt. */
export interface Ui {
  view: View;
  mode: Mode;
  filter: string;
  /** Id of the selected row of each view. */
  selection: Partial<Record<View, number>>;
  replies: RepliesUi;
  /** Id of the open campaign. */
  openId: number | null;
  /** The open page of a person or an account, above everything else, and the index of its first visible line. */
  page: OpenPage | null;
  scroll: number;
  /** One line for the operator, shown until the next key. */
  notice: string | null;
  /** A confirmed change that is still to be made. */
  confirmed: Action | null;
  hasQuit: boolean;
}

export const INITIAL_UI: Ui = {
  view: 'campaigns',
  mode: { kind: 'browse' },
  filter: '',
  selection: {},
  replies: INITIAL_REPLIES,
  openId: null,
  page: null,
  scroll: 0,
  notice: null,
  confirmed: null,
  hasQuit: false,
};

/** The loaded replies when a key is pressed. */
export interface KnownReplies {
  total: number;
  /** Returns the reply at an index, if its page is loaded. */
  at(index: number): ReplyLine | undefined;
  /** Updates a selection after other replies arrived or were read. */
  selectedNow(selected: SelectedReply): SelectedReply;
  people: People;
}

export type UiEvent =
  /** One character or one special key. `page` is the number of visible rows. */
  | { type: 'key'; input: string; key: Key; state: DashboardState; page: number; replies: KnownReplies }
  /** The confirmed change is being made. */
  | { type: 'started' }
  | { type: 'finished'; notice: string }
  /** An open page is at its end with this as the first visible line. */
  | { type: 'end'; scroll: number }
  /** The page of the selected reply has been loaded, which it was not when it was selected. */
  | { type: 'recognised'; reply: ReplyLine };

type KeyEvent = Extract<UiEvent, { type: 'key' }>;

const BROWSE: Mode = { kind: 'browse' };

/** Applies a key or the outcome of a change. */
export function changeUi(ui: Ui, event: UiEvent): Ui {
  if (event.type === 'started') return { ...ui, confirmed: null };
  if (event.type === 'finished') return { ...ui, notice: event.notice };
  if (event.type === 'end') return { ...ui, scroll: event.scroll };
  if (event.type === 'recognised') return { ...ui, replies: { ...ui.replies, ...selectedAt(ui.replies.index, event.reply) } };
  const quiet = { ...ui, notice: null };
  const { input, key } = event;
  if (ui.mode.kind === 'help') return { ...quiet, mode: BROWSE };
  if (ui.mode.kind === 'confirm') return { ...quiet, mode: BROWSE, confirmed: input === 'y' ? ui.mode.action : null };
  if (ui.mode.kind === 'filter') return filterKey(quiet, input, key);
  if (ui.page !== null && input !== 'q' && input !== '?' && !key.tab && viewOf(input) === undefined) return pageKey(quiet, ui.page, event);
  if (ui.view === 'replies' && ui.openId === null) return replyKey(quiet, event) ?? browseKey(quiet, event);
  return browseKey(quiet, event);
}

/** Applies a key to an open page: scrolls it, closes it, or acts on its record. */
function pageKey(ui: Ui, open: OpenPage, event: KeyEvent): Ui {
  const { input, key, state } = event;
  if (key.escape) return { ...ui, page: null, scroll: 0 };
  const account = open.kind === 'account' ? state.accounts.find(({ id }) => id === open.id) : undefined;
  return scrolled(ui, event) ?? (account === undefined ? ui : propose(ui, accountAction(input, account)));
}

/** Scrolls a page; returns null for other keys. */
function scrolled(ui: Ui, { input, key, page }: KeyEvent): Ui | null {
  const to = targetOf(ui.scroll, MAX_SCROLL, input, key, page);
  return to === null ? null : { ...ui, scroll: Math.max(0, Math.min(to, MAX_SCROLL)) };
}

/** Beyond the end of every page; a page then shows its last lines. */
const MAX_SCROLL = 1_000_000;

const openPage = (ui: Ui, kind: 'person' | 'account', id: number): Ui => ({ ...ui, page: { kind, id }, scroll: 0 });

function replyKey(ui: Ui, { input, key, state, page, replies }: KeyEvent): Ui | null {
  const { total, people, at } = replies;
  if (key.return && ui.replies.open !== null && ui.replies.mode.kind === 'browse')
    return openPage(ui, 'person', ui.replies.open.contact_id);
  const now = replies.selectedNow(ui.replies);
  // From the first key on, the selection stays with the reply that the user sees, even if others move it.
  const own = { ...ui.replies, ...(now.id === null ? selectedAt(now.index, at(now.index)) : now) };
  const step = repliesKey(own, input, key, { total, people, state, page, at });
  if (step === null) return null;
  return { ...ui, replies: step.ui, ...(step.action && { confirmed: step.action }) };
}

function filterKey(ui: Ui, input: string, key: Key): Ui {
  if (key.escape) return { ...ui, mode: BROWSE, filter: '' };
  if (key.return) return { ...ui, mode: BROWSE };
  if (key.backspace || key.delete) return { ...ui, filter: ui.filter.slice(0, -1) };
  if (key.ctrl || key.meta || key.tab) return ui;
  return { ...ui, filter: ui.filter + (input === ' ' ? ' ' : shownLine(input)) };
}

function browseKey(ui: Ui, event: KeyEvent): Ui {
  const { input, key, state, page } = event;
  if (input === 'q') return { ...ui, hasQuit: true };
  if (input === '?') return { ...ui, mode: { kind: 'help' } };
  const numbered = viewOf(input);
  if (numbered !== undefined) return goTo(ui, numbered);
  if (key.tab) return goTo(ui, nextView(ui.view, key.shift));
  const opened = openCampaign(ui, state);
  if (ui.view === 'replies') return ui;
  if (ui.view === 'calendar') return scrolled(ui, event) ?? ui;
  if (key.escape) return opened === undefined ? { ...ui, filter: '' } : { ...ui, openId: null };
  if (opened !== undefined) return propose(ui, campaignAction(input, opened));
  if (input === '/') return { ...ui, mode: { kind: 'filter' } };
  const rows = rowsOf(state, ui.filter);
  const selected = selectedId(ui, rows);
  if (key.return) return selected === null ? ui : openRow(ui, rows, selected);
  if (input === 'c' && selected !== null && (ui.view === 'events' || ui.view === 'calls'))
    return { ...ui, openId: rows[ui.view].find((row) => row.id === selected)?.campaign_id ?? null };
  const next = moveSelection(rows[ui.view], selected, input, key, page);
  if (next !== null) return { ...ui, selection: { ...ui.selection, [ui.view]: next } };
  return propose(ui, actionOn(rows, ui.view, selected, input));
}

/** Returns the view of a number key. */
const viewOf = (input: string): View | undefined => (/^[1-9]$/.test(input) ? VIEWS[Number(input) - 1]?.name : undefined);

function nextView(view: View, isBack: boolean): View {
  const at = VIEWS.findIndex(({ name }) => name === view) + (isBack ? VIEWS.length - 1 : 1);
  return VIEWS[at % VIEWS.length]?.name ?? view;
}

const goTo = (ui: Ui, view: View): Ui => ({ ...ui, view, openId: null, page: null, scroll: 0 });

function propose(ui: Ui, proposal: Proposal | null): Ui {
  if (proposal === null) return ui;
  return 'refused' in proposal ? { ...ui, notice: shownLine(proposal.refused) } : { ...ui, mode: { kind: 'confirm', action: proposal } };
}

/** Returns the id of the view's selected row, or of the first row if that is gone; null for an empty view. */
export function selectedId(ui: Ui, rows: ViewRows): number | null {
  if (!isTable(ui.view)) return null;
  const shown: readonly { id: number }[] = rows[ui.view];
  const wanted = ui.selection[ui.view];
  return shown.some((row) => row.id === wanted) ? (wanted ?? null) : (shown[0]?.id ?? null);
}

/** Returns the open campaign, if it still exists; for one in a rotation group, the group. */
export const openCampaign = (ui: Ui, state: DashboardState) =>
  state.campaigns.find(({ id, members }) => id === ui.openId || members.some((member) => member.id === ui.openId));

/** ⏎ opens the campaign, the account, or the person that a row is about. */
function openRow(ui: Ui, rows: ViewRows, id: number): Ui {
  if (ui.view === 'campaigns') return { ...ui, openId: id };
  if (ui.view === 'accounts') return openPage(ui, 'account', id);
  const person = isTable(ui.view) ? rows[ui.view].find((row) => row.id === id)?.contact_id : undefined;
  return person === undefined ? ui : openPage(ui, 'person', person);
}

function actionOn(rows: ViewRows, view: View, id: number | null, key: string): Proposal | null {
  const own = <Row extends { id: number }>(all: readonly Row[]) => all.find((row) => row.id === id);
  const [campaign, account, call] = [own(rows.campaigns), own(rows.accounts), own(rows.calls)];
  if (view === 'campaigns' && campaign !== undefined) return campaignAction(key, campaign);
  if (view === 'accounts' && account !== undefined) return accountAction(key, account);
  if (view === 'calls' && call !== undefined) return callAction(key, call);
  return null;
}

import type { Key } from 'ink';
import { type Action, type Asked, accountAction, callAction, campaignAction } from './actions.ts';
import { oneLine } from './format.ts';
import { moved, rowsOf, type ViewRows } from './rows.ts';
import type { DashboardState } from './state.ts';
import { VIEWS, type View } from './views.ts';

/** What the keyboard talks to. */
export type Mode = { kind: 'browse' } | { kind: 'filter' } | { kind: 'help' } | { kind: 'confirm'; action: Action };

/** Where the operator is: everything on the screen that does not come from the daemon. */
export interface Ui {
  view: View;
  mode: Mode;
  filter: string;
  /** The row that was moved to, by view. */
  selection: Partial<Record<View, number>>;
  /** The campaign that is open. */
  openId: number | null;
  /** One line for people, until the next key. */
  notice: string | null;
  /** Confirmed, and to be carried out by whoever holds this. */
  confirmed: Action | null;
  hasQuit: boolean;
}

export const INITIAL_UI: Ui = {
  view: 'campaigns',
  mode: { kind: 'browse' },
  filter: '',
  selection: {},
  openId: null,
  notice: null,
  confirmed: null,
  hasQuit: false,
};

export type UiEvent =
  /** One character or one special key. `page` is how many rows are in sight. */
  | { type: 'key'; input: string; key: Key; state: DashboardState; page: number }
  /** The confirmed action is being carried out. */
  | { type: 'begun' }
  | { type: 'told'; notice: string };

const BROWSE: Mode = { kind: 'browse' };

/** What a key, or the outcome of an action, makes of where the operator is. */
export function changeUi(ui: Ui, event: UiEvent): Ui {
  if (event.type === 'begun') return { ...ui, confirmed: null };
  if (event.type === 'told') return { ...ui, notice: event.notice };
  const quiet = { ...ui, notice: null };
  const { input, key } = event;
  if (ui.mode.kind === 'help') return { ...quiet, mode: BROWSE };
  if (ui.mode.kind === 'confirm') return { ...quiet, mode: BROWSE, confirmed: input === 'y' ? ui.mode.action : null };
  if (ui.mode.kind === 'filter') return filterKey(quiet, input, key);
  return browseKey(quiet, event);
}

function filterKey(ui: Ui, input: string, key: Key): Ui {
  if (key.escape) return { ...ui, mode: BROWSE, filter: '' };
  if (key.return) return { ...ui, mode: BROWSE };
  if (key.backspace || key.delete) return { ...ui, filter: ui.filter.slice(0, -1) };
  if (key.ctrl || key.meta || key.tab) return ui;
  return { ...ui, filter: ui.filter + (input === ' ' ? ' ' : oneLine(input)) };
}

function browseKey(ui: Ui, { input, key, state, page }: Extract<UiEvent, { type: 'key' }>): Ui {
  if (input === 'q') return { ...ui, hasQuit: true };
  if (input === '?') return { ...ui, mode: { kind: 'help' } };
  const tab = VIEWS.findIndex(({ name }) => name === ui.view);
  if (/^[1-5]$/.test(input)) return goTo(ui, Number(input) - 1);
  if (key.tab) return goTo(ui, (tab + (key.shift ? VIEWS.length - 1 : 1)) % VIEWS.length);
  const opened = openedIn(ui, state);
  if (key.escape) return opened === undefined ? { ...ui, filter: '' } : { ...ui, openId: null };
  if (opened !== undefined) return asked(ui, campaignAction(input, opened));
  if (input === '/') return { ...ui, mode: { kind: 'filter' } };
  const rows = rowsOf(state, ui.filter);
  const selected = selectedIn(ui, rows);
  if (key.return) return selected === null ? ui : { ...ui, openId: campaignOf(rows, ui.view, selected) };
  const next = moved(rows[ui.view], selected, input, key, page);
  if (next !== null) return { ...ui, selection: { ...ui.selection, [ui.view]: next } };
  return asked(ui, actionOn(rows, ui.view, selected, input));
}

const goTo = (ui: Ui, index: number): Ui => ({ ...ui, view: VIEWS[index]?.name ?? ui.view, openId: null });

function asked(ui: Ui, question: Asked | null): Ui {
  if (question === null) return ui;
  return 'refused' in question ? { ...ui, notice: oneLine(question.refused) } : { ...ui, mode: { kind: 'confirm', action: question } };
}

/** The selected row of the view: the one moved to while it is there, else the first. */
export function selectedIn(ui: Ui, rows: ViewRows): number | null {
  const shown: readonly { id: number }[] = rows[ui.view];
  const wanted = ui.selection[ui.view];
  return shown.some((row) => row.id === wanted) ? (wanted ?? null) : (shown[0]?.id ?? null);
}

/** The campaign that is open and still there. */
export const openedIn = (ui: Ui, state: DashboardState) => state.campaigns.find((campaign) => campaign.id === ui.openId);

function campaignOf(rows: ViewRows, view: View, id: number): number | null {
  if (view === 'campaigns') return id;
  if (view === 'accounts') return null;
  return rows[view].find((row) => row.id === id)?.campaign_id ?? null;
}

function actionOn(rows: ViewRows, view: View, id: number | null, key: string): Asked | null {
  const own = <Row extends { id: number }>(all: readonly Row[]) => all.find((row) => row.id === id);
  const [campaign, account, call] = [own(rows.campaigns), own(rows.accounts), own(rows.calls)];
  if (view === 'campaigns' && campaign !== undefined) return campaignAction(key, campaign);
  if (view === 'accounts' && account !== undefined) return accountAction(key, account);
  if (view === 'calls' && call !== undefined) return callAction(key, call);
  return null;
}

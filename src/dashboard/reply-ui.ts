import type { Key } from 'ink';
import { shownLine } from '../terminal/text-width.ts';
import type { Action } from './action.ts';
import {
  answerAction,
  approveAction,
  assignOptions,
  decideAction,
  discardAction,
  filterOptions,
  kindOptions,
  labelAction,
  labelOptions,
  type Option,
  type People,
  readAction,
  suppressOptions,
} from './reply-actions.ts';
import { type ReplyFilter, type ReplyLine, type SelectedReply, selectedAt } from './reply-book.ts';
import { targetOf } from './rows.ts';
import type { DashboardState } from './state.ts';

/** The part of the view that receives keys. */
type ReplyMode =
  | { kind: 'browse' }
  | { kind: 'choose'; title: string; options: readonly Option[]; index: number }
  | { kind: 'type'; what: 'label' | 'search'; text: string };

/** The state of the replies view. Until the user presses a key, the top reply is selected, whichever it is. */
export interface RepliesUi extends SelectedReply {
  /** The opened reply, and the index of its first visible line. */
  open: ReplyLine | null;
  scroll: number;
  filter: ReplyFilter;
  /** The filter as text. */
  words: Partial<Record<keyof ReplyFilter, string>>;
  mode: ReplyMode;
}

const TOP: SelectedReply = { index: 0, id: null, isUnread: false };

export const INITIAL_REPLIES: RepliesUi = { ...TOP, open: null, scroll: 0, filter: {}, words: {}, mode: { kind: 'browse' } };

/** The data that keys act on. */
export interface RepliesScene {
  total: number;
  /** The reply at an index, if its page is known. */
  at(index: number): ReplyLine | undefined;
  people: People;
  state: DashboardState;
  /** Number of visible rows. */
  page: number;
}

/** The view after a key, and the change to be made. */
export interface RepliesStep {
  ui: RepliesUi;
  action?: Action;
}

const BROWSE: ReplyMode = { kind: 'browse' };

/** Applies a key to the replies view; returns null for a key that it does not use. */
export function repliesKey(ui: RepliesUi, input: string, key: Key, scene: RepliesScene): RepliesStep | null {
  if (ui.mode.kind === 'choose') return { ...chooseKey(ui, ui.mode, input, key, scene) };
  if (ui.mode.kind === 'type') return typeKey(ui, ui.mode, input, key, scene);
  if (key.escape) return { ui: ui.open === null ? { ...INITIAL_REPLIES } : { ...ui, open: null, scroll: 0 } };
  const moved =
    ui.open === null ? moveKey(ui.index, scene.total - 1, input, key, scene.page) : moveKey(ui.scroll, 1e6, input, key, scene.page);
  if (moved !== null) return { ui: ui.open === null ? select(ui, moved, scene) : { ...ui, scroll: moved } };
  if (input === '/' && ui.open === null) return { ui: { ...ui, mode: { kind: 'type', what: 'search', text: ui.filter.q ?? '' } } };
  if (input === 'f' && ui.open === null) return choose(ui, 'Show', filterOptions(scene.people, scene.state.campaigns));
  const reply = ui.open ?? scene.at(ui.index);
  return reply === undefined ? null : replyKey(ui, reply, input, key, scene);
}

const select = (ui: RepliesUi, index: number, { at }: RepliesScene): RepliesUi => ({ ...ui, ...selectedAt(index, at(index)) });

/** Selects the next reply, because a reply that is marked as read moves away. */
const selectNext = (ui: RepliesUi, scene: RepliesScene): RepliesUi =>
  ui.open === null ? select(ui, Math.min(ui.index + 1, scene.total - 1), scene) : ui;

function replyKey(ui: RepliesUi, reply: ReplyLine, input: string, key: Key, scene: RepliesScene): RepliesStep | null {
  const { people } = scene;
  if (key.return) return { ui: { ...ui, open: reply, scroll: 0 } };
  if (ui.open !== null && (input === '[' || input === ']')) return { ui: openNext(ui, input === ']' ? 1 : -1, scene) };
  if (input === 'a') return { ui, action: answerAction(reply) };
  if (input === 'u') return choose(ui, `Suppress ${reply.from} for good`, suppressOptions(reply));
  if (input === 'm') return { ui: selectNext(ui, scene), action: readAction(reply) };
  if (input === 'l') return choose(ui, 'Label', labelOptions(reply, scene.state.now));
  if (input === 'i') return choose(ui, 'Assign to', assignOptions(reply, people));
  if (input === 'c') return choose(ui, 'Correct the kind, and redo the effect', kindOptions(reply));
  if (reply.has_draft && input === 's') return { ui, action: approveAction(reply) };
  if (reply.has_draft && input === 'x') return { ui, action: discardAction(reply) };
  if (reply.may_ask_to_be_removed && (input === 'y' || input === 'n')) return { ui, action: decideAction(reply, input === 'y') };
  return null;
}

/** Opens the reply before or after the open one, in the order of the list; keeps the open one if the other is not loaded. */
function openNext(ui: RepliesUi, by: 1 | -1, scene: RepliesScene): RepliesUi {
  // If the open reply has been read since, the next one has taken its index.
  const from = by === 1 && ui.id !== ui.open?.id ? ui.index - 1 : ui.index;
  const index = Math.max(0, Math.min(from + by, scene.total - 1));
  const next = scene.at(index);
  return next === undefined ? ui : { ...select(ui, index, scene), open: next, scroll: 0 };
}

const choose = (ui: RepliesUi, title: string, options: readonly Option[]): RepliesStep => ({
  ui: { ...ui, mode: { kind: 'choose', title, options, index: 0 } },
});

function chooseKey(ui: RepliesUi, mode: Extract<ReplyMode, { kind: 'choose' }>, input: string, key: Key, scene: RepliesScene): RepliesStep {
  const quiet = { ...ui, mode: BROWSE };
  if (key.escape || input === 'q') return { ui: quiet };
  const moved = moveKey(mode.index, mode.options.length - 1, input, key, scene.page);
  if (moved !== null) return { ui: { ...ui, mode: { ...mode, index: moved } } };
  const option = key.return ? mode.options[mode.index] : undefined;
  if (option === undefined) return { ui };
  if (option.next !== undefined) return choose(ui, option.title, option.next);
  if (option.isTyped) return { ui: { ...ui, mode: { kind: 'type', what: 'label', text: '' } } };
  if (option.filter === undefined) return { ui: quiet, ...(option.action && { action: option.action }) };
  const isAll = Object.keys(option.filter).length === 0;
  const filter = isAll ? {} : { ...ui.filter, ...option.filter };
  const words = isAll ? {} : { ...ui.words, ...Object.fromEntries(Object.keys(option.filter).map((name) => [name, option.title])) };
  return { ui: { ...quiet, ...TOP, filter, words } };
}

function typeKey(ui: RepliesUi, mode: Extract<ReplyMode, { kind: 'type' }>, input: string, key: Key, scene: RepliesScene): RepliesStep {
  const typed = (text: string): RepliesStep => ({ ui: { ...ui, mode: { ...mode, text } } });
  if (key.escape) return { ui: { ...ui, mode: BROWSE } };
  if (key.backspace || key.delete) return typed(mode.text.slice(0, -1));
  if (key.ctrl || key.meta || key.tab) return { ui };
  if (!key.return) return typed(mode.text + (input === ' ' ? ' ' : shownLine(input)));
  const text = mode.text.trim();
  if (mode.what === 'label') {
    const reply = ui.open ?? scene.at(ui.index);
    const action = reply && text !== '' ? labelAction(reply, text) : undefined;
    return { ui: { ...ui, mode: BROWSE }, ...(action && { action }) };
  }
  const { q: _, ...filter } = ui.filter;
  const { q: __, ...words } = ui.words;
  if (text === '') return { ui: { ...ui, mode: BROWSE, ...TOP, filter, words } };
  return { ui: { ...ui, mode: BROWSE, ...TOP, filter: { ...filter, q: text }, words: { ...words, q: `"${text}"` } } };
}

/** Returns the index that a key moves to, from 0 to the last; null if it is not a movement key. */
function moveKey(index: number, last: number, input: string, key: Key, page: number): number | null {
  const to = targetOf(index, last, input, key, page);
  return to === null ? null : Math.max(0, Math.min(to, last));
}

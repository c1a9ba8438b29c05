import { messageOf } from '../core/errors.ts';
import type { Api } from './connection.ts';

type ListInput = NonNullable<Parameters<Api['replies']['list']['query']>[0]>;

/** A record of `GET /replies`. */
export type ReplyLine = Awaited<ReturnType<Api['replies']['list']['query']>>['data'][number];

/** A reply with its text and its thread. */
export type ReplyDetails = Awaited<ReturnType<Api['replies']['get']['query']>>;

export type ReplyFilter = Pick<ListInput, 'campaign_id' | 'kind' | 'label' | 'assigned_to' | 'has_draft' | 'q'>;

/** The loaded part of the list: unread replies come first, then read ones, each newest first. */
export interface ReplyPages {
  unread: number;
  total: number;
  /** Pages by part and number. */
  pages: ReadonlyMap<string, readonly ReplyLine[]>;
  /** The reason why the latest call failed; null after a successful one. */
  problem: string | null;
  /** False until the first response. */
  isLoaded: boolean;
}

const PAGE_SIZE = 50;
/** Maximum number of pages kept; more than any screen shows. */
const MAX_PAGES = 40;
const REFRESH_MILLISECONDS = 5_000;

const NO_REPLIES: ReplyPages = { unread: 0, total: 0, pages: new Map(), problem: null, isLoaded: false };

const keyOf = (isRead: boolean, page: number) => `${isRead ? 'read' : 'unread'} ${page}`;

/** Returns the part, page and position of the reply at an index. */
function placeOf({ unread }: ReplyPages, index: number): { isRead: boolean; page: number; place: number } {
  const isRead = index >= unread;
  const own = isRead ? index - unread : index;
  return { isRead, page: Math.floor(own / PAGE_SIZE), place: own % PAGE_SIZE };
}

/** Returns the reply at an index; undefined if its page is not loaded yet. */
export function replyAt(pages: ReplyPages, index: number): ReplyLine | undefined {
  const { isRead, page, place } = placeOf(pages, index);
  return pages.pages.get(keyOf(isRead, page))?.[place];
}

/** Maximum distance at which a moved reply is searched for: more replies than arrive between two reads. */
const MAX_SHIFT = 200;

/** A selected reply: its index in the list, and its id once that is known. */
export interface SelectedReply {
  index: number;
  id: number | null;
  isUnread: boolean;
}

/** Selects an index. */
export function selectedAt(index: number, reply: ReplyLine | undefined): SelectedReply {
  return { index, id: reply?.id ?? null, isUnread: reply?.is_read === false };
}

/**
 * Updates the selection after other replies arrived or were read: the same reply at its new index. If an unread reply has been read or answered
 * since, it is done, and the selection moves to the next one at its index. If the reply is not found, returns the nearest valid index.
 */
export function selectedNow(pages: ReplyPages, { index, id, isUnread }: SelectedReply): SelectedReply {
  const last = Math.max(0, Math.min(index, pages.total - 1));
  if (id === null) return { index: last, id, isUnread };
  for (let distance = 0; distance <= MAX_SHIFT; distance++) {
    for (const at of [index + distance, index - distance]) {
      if (at < 0 || replyAt(pages, at)?.id !== id) continue;
      return isUnread && at >= pages.unread ? selectedAt(last, replyAt(pages, last)) : { index: at, id, isUnread };
    }
  }
  return { index: last, id, isUnread };
}

/** Loads the visible replies page by page, and again every few seconds. */
export class ReplyBook {
  readonly #api: Api;
  #filter: ReplyFilter = {};
  #shown: ReplyPages = NO_REPLIES;
  #first = 0;
  #count = 0;
  #generation = 0;
  readonly #loading = new Set<string>();
  readonly #listeners = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;

  constructor(api: Api) {
    this.#api = api;
  }

  readonly snapshot = (): ReplyPages => this.#shown;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    this.#timer ??= setInterval(() => this.refresh(), REFRESH_MILLISECONDS).unref();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  };

  /** Shows the replies that match a filter, from the first. */
  find(filter: ReplyFilter): void {
    this.#filter = filter;
    this.#generation++;
    this.#loading.clear();
    this.#change(NO_REPLIES);
    this.#read(false, 0);
    this.#read(true, 0);
  }

  /** Loads the pages of the lines that are on the screen. */
  look(first: number, count: number): void {
    [this.#first, this.#count] = [first, count];
    for (const { isRead, page } of this.#seen()) if (!this.#shown.pages.has(keyOf(isRead, page))) this.#read(isRead, page);
  }

  /** Loads the visible pages and both counts again. */
  refresh(): void {
    this.#generation++;
    this.#loading.clear();
    const seen = this.#seen();
    for (const isRead of [false, true]) {
      if (!seen.some((one) => one.isRead === isRead)) this.#read(isRead, 0);
    }
    for (const { isRead, page } of seen) this.#read(isRead, page);
  }

  #seen(): { isRead: boolean; page: number }[] {
    const places = new Map<string, { isRead: boolean; page: number }>();
    for (let index = this.#first; index < Math.min(this.#first + this.#count, this.#shown.total); index++) {
      const { isRead, page } = placeOf(this.#shown, index);
      places.set(keyOf(isRead, page), { isRead, page });
    }
    return [...places.values()];
  }

  #read(isRead: boolean, page: number): void {
    const key = keyOf(isRead, page);
    if (this.#loading.has(key)) return;
    this.#loading.add(key);
    const generation = this.#generation;
    this.#api.replies.list.query({ ...this.#filter, is_read: isRead, limit: PAGE_SIZE, offset: page * PAGE_SIZE }).then(
      ({ data, pagination }) => {
        // There was another filter or a refresh in the meantime.
        if (generation !== this.#generation) return;
        this.#loading.delete(key);
        this.#put(isRead, key, data, pagination.total);
      },
      (error: unknown) => {
        if (generation !== this.#generation) return;
        this.#loading.delete(key);
        this.#change({ ...this.#shown, problem: messageOf(error) });
      },
    );
  }

  #put(isRead: boolean, key: string, data: readonly ReplyLine[], total: number): void {
    const before = this.#shown;
    const unread = isRead ? before.unread : total;
    const read = isRead ? total : before.total - before.unread;
    const isSame = total === (isRead ? before.total - before.unread : before.unread);
    // If the count of a part has changed, its rows have moved to other pages.
    const kept = [...before.pages].filter(([name]) => name !== key && (isSame || !name.startsWith(isRead ? 'read' : 'unread')));
    const pages = new Map([...kept.slice(-MAX_PAGES + 1), [key, data] as const]);
    this.#change({ unread, total: unread + read, pages, problem: null, isLoaded: true });
    this.look(this.#first, this.#count);
  }

  #change(shown: ReplyPages): void {
    this.#shown = shown;
    for (const listener of this.#listeners) listener();
  }
}

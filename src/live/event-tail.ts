import { type Caller, notHidden } from '../access/index.ts';
import type { App } from '../app.ts';
import { lastStableId } from '../db/stable-id.ts';
import { raw, sql } from '../db/statement.ts';
import { type EventRow, eventColumns, replySnippet } from '../events/index.ts';

/** An event with the names of its campaign and contact. */
export interface LiveEvent extends EventRow {
  campaign_name: string;
  contact_name: string;
  contact_email: string;
  /** The first words of a reply; null for other events. */
  snippet: string | null;
}

export interface LiveEvents {
  /** Oldest first; only the newest `MAX_EVENTS`. */
  events: LiveEvent[];
  /** Number of events since the last call, including those left out. */
  count: number;
}

/** Maximum number of events delivered at the start, and in one call. */
const MAX_EVENTS = 200;
/** Maximum number of events counted in one call. */
const MAX_COUNTED = 5_000;

/** Tails the event log for one watcher: delivers each event that the caller may see once, as soon as it is stable. Index: events_order. */
export class EventTail {
  readonly #app: App;
  #last = 0;

  constructor(app: App) {
    this.#app = app;
  }

  /** Starts at the end of the log. @returns the latest events before it */
  async start(caller: Caller): Promise<LiveEvents> {
    this.#last = await lastStableId(this.#app.db, 'events');
    // Index: events_feed.
    const ids = await this.#app.db.query<{ id: number }>(sql`
      select e.id from events e where e.id <= ${this.#last} and ${isSeen(caller, MAX_EVENTS)}
      order by e.at desc, e.id desc limit ${MAX_EVENTS}`);
    return { events: await this.#read(ids.map((row) => row.id)), count: 0 };
  }

  /** @returns the events since the last call */
  async next(caller: Caller): Promise<LiveEvents> {
    const stable = await lastStableId(this.#app.db, 'events');
    const rows = await this.#app.db.query<{ id: number }>(sql`
      select e.id from events e where e.id > ${this.#last} and e.id <= ${stable} and ${isSeen(caller, MAX_COUNTED)}
      order by e.id desc limit ${MAX_COUNTED}`);
    this.#last = stable;
    const ids = rows.map((row) => row.id).reverse();
    return { events: await this.#read(ids.slice(-MAX_EVENTS)), count: ids.length };
  }

  /** Reads events by id. The ids must come from queries with `isSeen`. */
  async #read(ids: readonly number[]): Promise<LiveEvent[]> {
    if (ids.length === 0) return [];
    return this.#app.db.query<LiveEvent>(sql`
      select ${eventColumns('e')}, c.name as campaign_name, t.name as contact_name, t.email as contact_email,
        ${replySnippet('e')} as snippet
      from events e join campaigns c on c.id = e.campaign_id join contacts t on t.id = e.contact_id
      where e.id = any(${ids}::bigint[]) order by e.at, e.id`);
  }
}

/** SQL condition: event `e` is in the feed of the caller. @param rows rough number of rows that are examined */
const isSeen = (caller: Caller, rows: number) => sql`e.workspace_id = ${caller.workspaceId} and e.in_feed
  and ${notHidden(caller, 'campaigns', raw('e.campaign_id'), rows)} and ${notHidden(caller, 'contacts', raw('e.contact_id'), rows)}`;

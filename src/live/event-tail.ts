import { type Caller, notHidden } from '../access/index.ts';
import type { App } from '../app.ts';
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
  /** Oldest first; only the newest `MOST_EVENTS`. */
  events: LiveEvent[];
  /** Number of events since the last call, including those left out. */
  count: number;
}

/** Most events delivered in one go, and at the start. */
const MOST_EVENTS = 200;
/** Most ids read in one go. */
const REACH = 5_000;
/**
 * Ids are assigned before transactions commit, so a smaller id may become visible after a greater one. An event that becomes
 * visible later than this is in the log and the statistics, but not in the stream.
 */
const LATE_MILLISECONDS = 5_000;

/**
 * Tails the event log for one watcher: delivers each event that the caller may see once, soon after its commit. Reads by id
 * from a low-water mark that lags by `LATE_MILLISECONDS`, and remembers the ids above it that it has delivered.
 * Index: events_pkey.
 */
export class EventTail {
  readonly #app: App;
  #low = 0;
  readonly #seen = new Set<number>();
  /** The greatest id at each time, oldest first, by the process's monotonic clock: it measures how late commits are. */
  readonly #marks: { at: number; id: number }[] = [];

  constructor(app: App) {
    this.#app = app;
  }

  /** Starts at the end of the log. @returns the latest events before it */
  async start(caller: Caller): Promise<LiveEvents> {
    const [last] = await this.#app.db.query<{ id: number | null }>(sql`select max(id) as id from events`);
    this.#low = Math.max(0, (last?.id ?? 0) - 1_000);
    await this.#unseen(caller);
    // Index: events_feed.
    const ids = await this.#app.db.query<{ id: number }>(sql`
      select e.id from events e where ${this.#visible(caller, MOST_EVENTS)} order by e.at desc, e.id desc limit ${MOST_EVENTS}`);
    return { events: await this.#read(ids.map((row) => row.id)), count: 0 };
  }

  /** @returns the events since the last call */
  async next(caller: Caller): Promise<LiveEvents> {
    const ids = await this.#unseen(caller);
    return { events: await this.#read(ids.slice(-MOST_EVENTS)), count: ids.length };
  }

  async #unseen(caller: Caller): Promise<number[]> {
    const rows = await this.#app.db.query<{ id: number }>(sql`
      select e.id from events e where e.id > ${this.#low} and ${this.#visible(caller, REACH)} order by e.id desc limit ${REACH}`);
    const ids = rows.map((row) => row.id).reverse();
    const fresh = ids.filter((id) => !this.#seen.has(id));
    for (const id of fresh) this.#seen.add(id);
    this.#advance(rows.length === REACH ? ids[0] : undefined, ids.at(-1));
    return fresh;
  }

  #advance(reached: number | undefined, greatest: number | undefined): void {
    const now = performance.now();
    if (greatest !== undefined) this.#marks.push({ at: now, id: greatest });
    let low = Math.max(this.#low, reached ?? 0);
    for (let mark = this.#marks[0]; mark !== undefined && mark.at < now - LATE_MILLISECONDS; mark = this.#marks[0]) {
      low = Math.max(low, mark.id);
      this.#marks.shift();
    }
    if (low === this.#low) return;
    this.#low = low;
    for (const id of this.#seen) if (id <= low) this.#seen.delete(id);
  }

  #visible(caller: Caller, rows: number) {
    return sql`e.workspace_id = ${caller.workspaceId} and ${notHidden(caller, 'campaigns', raw('e.campaign_id'), rows)}
      and ${notHidden(caller, 'contacts', raw('e.contact_id'), rows)}`;
  }

  /** Reads events by id. The ids come from `#visible`, so the caller may see them. */
  async #read(ids: readonly number[]): Promise<LiveEvent[]> {
    if (ids.length === 0) return [];
    return this.#app.db.query<LiveEvent>(sql`
      select ${eventColumns('e')}, c.name as campaign_name, t.name as contact_name, t.email as contact_email,
        ${replySnippet('e')} as snippet
      from events e join campaigns c on c.id = e.campaign_id join contacts t on t.id = e.contact_id
      where e.id = any(${ids}::bigint[]) order by e.at, e.id`);
  }
}

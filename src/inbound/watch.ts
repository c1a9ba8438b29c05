import { setTimeout as pause } from 'node:timers/promises';
import type { ImapFlow } from 'imapflow';
import { claimWatches, keepWatches, openMailbox, releaseWatches } from '../accounts/index.ts';
import type { App } from '../app.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../core/clock.ts';
import { messageOf } from '../core/errors.ts';
import { isWorthReading, type MailboxPoller } from './poll.ts';

/** How often leases are renewed and free connections given to other mailboxes. */
const BEAT = 15 * SECOND;
/** New connections a beat. */
const OPEN_AT_ONCE = 50;
/** RFC 2177 asks for a new IDLE at least every 29 minutes; sooner, and a connection that died unnoticed is noticed. */
const MAX_IDLE = 4 * MINUTE;
/** A mailbox in which mail pours is read no more often than this for its hints. */
const GAP = 5 * SECOND;

interface Watch {
  client?: ImapFlow;
  /** Reading what it was told of. */
  reading?: Promise<void>;
  isHinted: boolean;
}

/**
 * Lets servers that can say when something arrives (IDLE, RFC 2177) say so: the mailbox is read at once then, and not
 * only when its time comes. That is a hint and no more. Whoever watches or doesn't, each mailbox is read in its interval;
 * so the number of connections is bounded by a setting, and one that fails costs nothing but time. One daemon watches a
 * mailbox.
 */
export class MailboxWatch {
  readonly #app: App;
  readonly #poller: MailboxPoller;
  readonly #watches = new Map<number, Watch>();
  /** Mailboxes that are left alone for a while, by the process's own clock, and how often in a row they failed. */
  readonly #resting = new Map<number, { until: number; failures: number }>();
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #work: Promise<unknown> = Promise.resolve();

  constructor(app: App, poller: MailboxPoller) {
    this.#app = app;
    this.#poller = poller;
  }

  start(): void {
    if (this.#app.config.idleConnections > 0) this.#turn();
  }

  /** Closes all connections, lets what is being read end and gives the leases back. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    await this.#work;
    const ids = [...this.#watches.keys()];
    const readings = [...this.#watches.values()].map(({ reading }) => reading);
    for (const id of ids) this.#close(id);
    await Promise.all(readings);
    await releaseWatches(this.#app, ids).catch(() => undefined);
  }

  #turn(): void {
    this.#work = this.#beat()
      .catch((error) => this.#app.log.warn({ reason: messageOf(error) }, 'accounts could not be watched'))
      .finally(() => {
        if (!this.#stopping.signal.aborted) this.#timer = setTimeout(() => this.#turn(), BEAT);
      });
  }

  async #beat(): Promise<void> {
    const held = [...this.#watches.keys()];
    const kept = new Set(await keepWatches(this.#app, isWorthReading(this.#app.clock.now()), held));
    const gone = held.filter((id) => !kept.has(id));
    for (const id of gone) this.#close(id);
    await releaseWatches(this.#app, gone);
    const free = Math.min(this.#app.config.idleConnections - this.#watches.size, OPEN_AT_ONCE);
    if (free <= 0) return;
    const resting = [...this.#resting].filter(([, { until }]) => until > performance.now()).map(([id]) => id);
    const claimed = await claimWatches(this.#app, isWorthReading(this.#app.clock.now()), free, resting);
    for (const id of claimed) {
      this.#watches.set(id, { isHinted: false });
      // Not waited for: a server that doesn't answer would let the leases of all others run out.
      void this.#open(id);
    }
  }

  async #open(id: number): Promise<void> {
    try {
      const client = await openMailbox(this.#app, id, { maxIdleTime: MAX_IDLE });
      const watch = this.#watches.get(id);
      if (client === null || watch === undefined || this.#stopping.signal.aborted) return client?.close();
      watch.client = client;
      client.on('close', () => void this.#rest(id, watch, 'the connection was lost'));
      if (!client.capabilities.has('IDLE')) return await this.#rest(id, watch, null);
      await client.mailboxOpen('INBOX', { readOnly: true });
      client.on('exists', ({ count, prevCount }: { count: number; prevCount: number }) => {
        if (count > prevCount) this.#hint(id, watch);
      });
      this.#resting.delete(id);
      void client.idle().catch(() => client.close());
    } catch (error) {
      const watch = this.#watches.get(id);
      if (watch !== undefined) await this.#rest(id, watch, messageOf(error));
    }
  }

  /** Leaves a mailbox alone: for a day when its server has no IDLE, else longer each time that it fails. */
  async #rest(id: number, watch: Watch, error: string | null): Promise<void> {
    if (this.#stopping.signal.aborted || this.#watches.get(id) !== watch) return;
    const failures = (this.#resting.get(id)?.failures ?? 0) + 1;
    this.#resting.set(id, { until: performance.now() + (error === null ? DAY : Math.min(MINUTE * 2 ** (failures - 1), HOUR)), failures });
    this.#app.log.debug({ account: id, reason: error ?? 'the server does not support IDLE' }, 'an account is not watched');
    this.#close(id);
    await releaseWatches(this.#app, [id]).catch(() => undefined);
  }

  #close(id: number): void {
    const watch = this.#watches.get(id);
    this.#watches.delete(id);
    watch?.client?.close();
  }

  #hint(id: number, watch: Watch): void {
    watch.isHinted = true;
    watch.reading ??= this.#read(id, watch).finally(() => {
      delete watch.reading;
    });
  }

  async #read(id: number, watch: Watch): Promise<void> {
    const { signal } = this.#stopping;
    while (watch.isHinted && !signal.aborted) {
      watch.isHinted = false;
      await this.#poller
        .poll(id, signal)
        .catch((error) => this.#app.log.warn({ account: id, reason: messageOf(error) }, 'the poll could not be brought forward'));
      await pause(GAP, undefined, { signal }).catch(() => undefined);
    }
  }
}

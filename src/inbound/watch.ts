import { setTimeout as pause } from 'node:timers/promises';
import type { ImapFlow } from 'imapflow';
import { claimWatches, keepWatches, openMailbox, releaseWatches } from '../accounts/index.ts';
import type { App } from '../app.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../core/clock.ts';
import { messageOf } from '../core/errors.ts';
import { connectionLost, latestRefusal } from '../mail/imap-client.ts';
import { serverWords } from '../mail/server-words.ts';
import type { MailboxPoller } from './poll.ts';
import { isWorthReading } from './poll-due.ts';

/** Interval at which leases are renewed and free connections are given to other mailboxes. */
const RENEWAL_INTERVAL = 15 * SECOND;
/** Maximum number of new connections in one beat. */
const MAX_NEW_CONNECTIONS = 50;
/** RFC 2177 requires a new IDLE at least every 29 minutes; a shorter period detects dead connections sooner. */
const MAX_IDLE = 4 * MINUTE;
/** Minimum time between two polls of a mailbox caused by hints. */
const MIN_POLL_INTERVAL = 5 * SECOND;

interface Watch {
  client?: ImapFlow;
  /** The running poll that a hint started. */
  reading?: Promise<void>;
  isHinted: boolean;
}

/**
 * Polls mailboxes as soon as their server announces a message (IDLE, RFC 2177). That is only a hint: every mailbox is also polled
 * at its interval. So a setting may limit the connections, and a failed connection only causes a delay. One daemon watches a mailbox.
 */
export class MailboxWatch {
  readonly #app: App;
  readonly #poller: MailboxPoller;
  readonly #watches = new Map<number, Watch>();
  /** Mailboxes that are not watched until a time on the process's own clock, with the number of failures in a row. */
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

  /** Closes all connections, waits for running polls and returns the leases. */
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
        if (!this.#stopping.signal.aborted) this.#timer = setTimeout(() => this.#turn(), RENEWAL_INTERVAL);
      });
  }

  async #beat(): Promise<void> {
    const held = [...this.#watches.keys()];
    const kept = new Set(await keepWatches(this.#app, isWorthReading(this.#app.clock.now()), held));
    const gone = held.filter((id) => !kept.has(id));
    for (const id of gone) this.#close(id);
    await releaseWatches(this.#app, gone);
    const free = Math.min(this.#app.config.idleConnections - this.#watches.size, MAX_NEW_CONNECTIONS);
    if (free <= 0) return;
    const resting = [...this.#resting].filter(([, { until }]) => until > performance.now()).map(([id]) => id);
    const claimed = await claimWatches(this.#app, isWorthReading(this.#app.clock.now()), free, resting);
    for (const id of claimed) {
      this.#watches.set(id, { isHinted: false });
      // Not awaited, because with an unresponsive server the leases of all other mailboxes would expire.
      void this.#open(id);
    }
  }

  async #open(id: number): Promise<void> {
    try {
      const client = await openMailbox(this.#app, id, { maxIdleTime: MAX_IDLE });
      const watch = this.#watches.get(id);
      if (client === null || watch === undefined || this.#stopping.signal.aborted) return client?.close();
      watch.client = client;
      client.on('close', () => void this.#rest(id, watch, messageOf(connectionLost(client))));
      if (!client.capabilities.has('IDLE')) return await this.#rest(id, watch, null);
      await client.mailboxOpen('INBOX', { readOnly: true });
      client.on('exists', ({ count, prevCount }: { count: number; prevCount: number }) => {
        if (count > prevCount) this.#hint(id, watch);
      });
      this.#resting.delete(id);
      void this.#idle(id, watch, client).catch(() => client.close());
    } catch (error) {
      const watch = this.#watches.get(id);
      if (watch !== undefined) await this.#rest(id, watch, serverWords(error));
    }
  }

  /**
   * Idles while the mailbox is watched. Some servers end an IDLE themselves, and a message may have arrived in between, so it polls then.
   */
  async #idle(id: number, watch: Watch, client: ImapFlow): Promise<void> {
    while ((await client.idle()) !== false) {
      if (this.#watches.get(id) !== watch || !client.usable) return;
      this.#hint(id, watch);
      await pause(MIN_POLL_INTERVAL, undefined, { signal: this.#stopping.signal });
    }
    await this.#rest(id, watch, serverWords(latestRefusal(client) ?? 'the server refused IDLE'));
  }

  /** Stops watching a mailbox: for a day if its server does not support IDLE, otherwise for a time that grows with each failure. */
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
        .pollAnnounced(id, signal)
        .catch((error) => this.#app.log.warn({ account: id, reason: messageOf(error) }, 'could not poll the mailbox early'));
      await pause(MIN_POLL_INTERVAL, undefined, { signal }).catch(() => undefined);
    }
  }
}

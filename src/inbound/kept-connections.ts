import { setTimeout as pause } from 'node:timers/promises';
import type { ImapFlow } from 'imapflow';
import { openMailbox, type Poll } from '../accounts/index.ts';
import type { App } from '../app.ts';
import { HOUR, MINUTE, SECOND } from '../core/clock.ts';
import type { ImapTimings } from '../mail/imap-client.ts';

/** Connections used less often are dropped by servers, by NAT (RFC 5382 REQ-5) and by our own timeout. */
const MAX_POLL_PERIOD = 4 * MINUTE;
/** Time during which we keep fewer connections to a server that refused one. */
const CAP_LIFETIME = HOUR;
/** Pause before the next attempt, so that the server notices the closed connections. */
const RETRY_DELAY = SECOND;
/**
 * Matches replies of servers that refuse one more connection: Dovecot, Gmail, Exchange, Courier, and LIMIT and UNAVAILABLE of RFC 5530 §3.
 */
const TOO_MANY = /too many|maximum|simultaneous|concurrent|exceeded|\[?(LIMIT|UNAVAILABLE)\b/i;

interface Kept {
  client: ImapFlow;
  server: string;
  credentials: string;
  /** Milliseconds between two polls. */
  period: number;
}

/**
 * The connections that one daemon keeps open between two polls of a mailbox, because a login costs several times as much as checking for
 * new messages. Keeps the connections that are needed most often; losing one costs a login.
 */
export class KeptConnections {
  readonly #app: App;
  readonly #timings: ImapTimings;
  readonly #kept = new Map<number, Kept>();
  /** For each server that refused a connection: the number of connections to keep, and the end of this cap by the process's own clock. */
  readonly #caps = new Map<string, { most: number; until: number }>();
  #isClosed = false;

  /** @param timings timeouts of new connections */
  constructor(app: App, timings: ImapTimings = {}) {
    this.#app = app;
    this.#timings = timings;
  }

  /** Hands over the kept connection of an account; undefined without a usable one with the current server and credentials. */
  take({ accountId, credentials, deadline }: Poll): ImapFlow | undefined {
    const kept = this.#kept.get(accountId);
    this.#kept.delete(accountId);
    if (kept === undefined) return undefined;
    if (kept.credentials === credentials && kept.client.usable) {
      deadline?.closes(kept.client);
      return kept.client;
    }
    kept.client.close();
    return undefined;
  }

  /**
   * Connects to the mailbox of an account; null without IMAP. If the server refuses, perhaps because of the kept connections, closes half
   * of those to this server and tries once more. Throws like `openMailbox`.
   */
  async open(poll: Poll): Promise<ImapFlow | null> {
    const client = await this.#connect(poll);
    client?.once('close', () => {
      if (this.#kept.get(poll.accountId)?.client === client) this.#kept.delete(poll.accountId);
    });
    return client;
  }

  /**
   * Keeps a connection for the next poll, or returns false if that is not worth it. The connection must have no open folder.
   * @param period milliseconds until the next poll
   */
  keep({ accountId, server, credentials }: Poll, client: ImapFlow, period: number): boolean {
    if (this.#isClosed || period > MAX_POLL_PERIOD || !client.usable || this.#kept.has(accountId)) return false;
    if (this.#count(server) >= this.#capOf(server) || !this.#makeRoom(period)) return false;
    this.#kept.set(accountId, { client, server, credentials, period });
    return true;
  }

  /** Closes all connections and keeps no more. */
  close(): void {
    this.#isClosed = true;
    for (const [accountId] of this.#kept) this.#drop(accountId);
  }

  /**
   * Makes room if the limit is reached: closes the least needed connection, if it is used less often than every `period`. Returns true if
   * there is room.
   */
  #makeRoom(period: number): boolean {
    const { pollConnections } = this.#app.config;
    if (this.#kept.size < pollConnections) return true;
    let least: { accountId: number; period: number } | undefined;
    for (const [accountId, kept] of this.#kept) if (kept.period > (least?.period ?? period)) least = { accountId, period: kept.period };
    if (least === undefined) return false;
    this.#drop(least.accountId);
    return true;
  }

  async #connect({ accountId, server, deadline }: Poll): Promise<ImapFlow | null> {
    try {
      return await openMailbox(this.#app, accountId, { ...this.#timings, deadline });
    } catch (error) {
      if (isAboutCredentials(error) || !this.#closeHalf(server)) throw error;
      await pause(RETRY_DELAY);
      return openMailbox(this.#app, accountId, { ...this.#timings, deadline });
    }
  }

  #closeHalf(server: string): boolean {
    const ofServer = [...this.#kept].filter(([, kept]) => kept.server === server);
    if (ofServer.length === 0) return false;
    const most = Math.floor(ofServer.length / 2);
    this.#caps.set(server, { most, until: performance.now() + CAP_LIFETIME });
    for (const [accountId] of ofServer.slice(most)) this.#drop(accountId);
    this.#app.log.info({ server, kept: most }, 'the IMAP server refused a connection, so fewer are kept open');
    return true;
  }

  #capOf(server: string): number {
    const cap = this.#caps.get(server);
    if (cap === undefined) return Number.POSITIVE_INFINITY;
    if (cap.until > performance.now()) return cap.most;
    this.#caps.delete(server);
    return Number.POSITIVE_INFINITY;
  }

  #count(server: string): number {
    if (!this.#caps.has(server)) return 0;
    return [...this.#kept.values()].filter((kept) => kept.server === server).length;
  }

  #drop(accountId: number): void {
    const kept = this.#kept.get(accountId);
    this.#kept.delete(accountId);
    kept?.client.close();
  }
}

/** Returns true for a login refused for its credentials, so that closing connections would not help. */
function isAboutCredentials(error: unknown): boolean {
  const { authenticationFailed, responseText = '', message = '' } = error as Record<string, unknown>;
  return authenticationFailed === true && !TOO_MANY.test(`${responseText} ${message}`);
}

import { setTimeout as pause } from 'node:timers/promises';
import type { ClaimedPoll } from '../accounts/index.ts';
import type { App } from '../app.ts';
import { SECOND } from '../core/clock.ts';
import { messageOf } from '../core/errors.ts';
import { timedJob } from '../core/metrics.ts';
import type { MailboxPoller } from './poll.ts';

/** Mailboxes that one daemon polls at once. */
const AT_ONCE = 100;
/** Milliseconds: the longest time between two looks for mailboxes that are due, and before a database that was away is asked again. */
const PAUSES = { period: SECOND, retry: 5 * SECOND };

/**
 * Polls the mailboxes that are due, in each daemon: it claims as many as it has places for, in one statement
 * (docs/decisions/polls-are-claimed-in-groups.md). IDLE only brings polls forward.
 */
export class MailboxRounds {
  readonly #app: App;
  readonly #poller: Pick<MailboxPoller, 'claimDue' | 'read'>;
  readonly #pauses: typeof PAUSES;
  readonly #running = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #work: Promise<void> = Promise.resolve();
  /** Called when half of the places are free. */
  #onRoom: (() => void) | undefined;

  constructor(app: App, poller: Pick<MailboxPoller, 'claimDue' | 'read'>, pauses = PAUSES) {
    this.#app = app;
    this.#poller = poller;
    this.#pauses = { ...pauses, period: Math.min(pauses.period, app.config.tickSeconds * SECOND) };
  }

  start(): void {
    this.#work = this.#claimAndRead();
  }

  /** Claims no more mailboxes, and waits for polls under way, which end after the message they are at. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#work;
    await Promise.all(this.#running);
  }

  async #claimAndRead(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const free = AT_ONCE - this.#running.size;
      try {
        const claimed = free > 0 ? await this.#poller.claimDue(free) : [];
        for (const poll of claimed) this.#begin(poll);
        // Where all places are taken, more may be due.
        await this.#waitForWork(this.#pauses.period, claimed.length === free);
      } catch (error) {
        this.#app.log.warn({ reason: messageOf(error) }, 'mailboxes that are due could not be claimed');
        await this.#waitForWork(this.#pauses.retry, false);
      }
    }
  }

  #begin(poll: ClaimedPoll): void {
    const running = timedJob('poll mailbox', () => this.#poller.read(poll, this.#stopping.signal))
      .catch((error) => this.#app.log.error({ err: error, account: poll.accountId }, 'a mailbox could not be polled'))
      .then(() => {
        this.#running.delete(running);
        if (this.#running.size <= AT_ONCE / 2) this.#onRoom?.();
      });
    this.#running.add(running);
  }

  /** Waits for so long, or until half of the places are free if `orRoom`. A mailbox whose server is silent holds up no other. */
  async #waitForWork(milliseconds: number, orRoom: boolean): Promise<void> {
    const room = new AbortController();
    if (orRoom) this.#onRoom = () => room.abort();
    await pause(milliseconds, undefined, { signal: AbortSignal.any([room.signal, this.#stopping.signal]) }).catch(() => undefined);
    this.#onRoom = undefined;
  }
}

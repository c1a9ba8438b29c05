import type { App } from '../../app.ts';
import { sqlState } from '../../core/errors.ts';
import { type Delivery, settleDeliveries } from '../outbox/settle.ts';
import { untilAnswered } from './retry-write.ts';

/** Acknowledgements are written in groups: one transaction for up to this many mails, or for what came in this time. */
const GROUP_SIZE = 100;
const GROUP_MILLISECONDS = 20;

/**
 * Collects mails that the server took and records them in groups; at full speed one commit a mail would halve the
 * rate. What a crash keeps from being recorded stays `transmitting` and is looked up afterwards.
 */
class DeliveryLog {
  readonly #app: App;
  readonly #pending: Delivery[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #queued: Promise<void> | undefined;

  constructor(app: App) {
    this.#app = app;
  }

  /** Takes one; resolves at once unless a full group has to be written first. */
  async add(delivery: Delivery): Promise<void> {
    this.#pending.push(delivery);
    if (this.#pending.length >= GROUP_SIZE) return this.flush();
    this.#timer ??= setTimeout(() => void this.flush().catch(() => undefined), GROUP_MILLISECONDS);
  }

  /**
   * Resolves when all so far is written; throws when it could not be. What comes in while a group is being written goes
   * together into the next one.
   */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#queued !== undefined) return this.#queued;
    const queued = this.#writing.then(() => {
      this.#queued = undefined;
      return this.#write(this.#pending.splice(0));
    });
    this.#queued = queued;
    this.#writing = queued.catch(() => undefined);
    return queued;
  }

  async #write(group: readonly Delivery[]): Promise<void> {
    if (group.length === 0) return;
    try {
      await untilAnswered(this.#app, () => settleDeliveries(this.#app, group), isRefusal);
    } catch (error) {
      // One that the database will never take must not keep back the others.
      if (group.length > 1 && isRefusal(error)) await this.#writeEach(group);
      else throw this.#noted(error, group.length);
    }
  }

  async #writeEach(group: readonly Delivery[]): Promise<void> {
    const written = await Promise.allSettled(group.map((delivery) => this.#write([delivery])));
    const failed = written.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  #noted(error: unknown, mails: number): unknown {
    this.#app.log.error({ err: error, mails }, 'accepted mails could not be recorded; recovery will look them up');
    return error;
  }
}

/** The database answered, and will answer the same next time: SQLSTATE classes 22, 23 and 42. */
const isRefusal = (error: unknown) => /^(22|23|42)/.test(sqlState(error) ?? '');

const logs = new WeakMap<App, DeliveryLog>();

/** The one log of this daemon: the more mailboxes send at the same time, the more mails one commit records. */
export function deliveryLogOf(app: App): DeliveryLog {
  let log = logs.get(app);
  if (log === undefined) {
    log = new DeliveryLog(app);
    logs.set(app, log);
  }
  return log;
}

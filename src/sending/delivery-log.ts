import type { App } from '../app.ts';
import { untilAnswered } from './database-patience.ts';
import { type Delivery, settleDeliveries } from './settle.ts';

/** Acknowledgements are written in groups: one transaction for up to this many mails, or for what came in this time. */
const GROUP_SIZE = 100;
const GROUP_MILLISECONDS = 20;

/**
 * Collects mails that the server took and records them in groups; at full speed one commit a mail would halve the
 * rate. What a crash keeps from being recorded stays `transmitting` and is looked up afterwards.
 */
export class DeliveryLog {
  readonly #app: App;
  #pending: Delivery[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(app: App) {
    this.#app = app;
  }

  /** Takes one; resolves at once unless a full group has to be written first. */
  async add(delivery: Delivery): Promise<void> {
    this.#pending.push(delivery);
    if (this.#pending.length >= GROUP_SIZE) return this.flush();
    this.#timer ??= setTimeout(() => void this.flush().catch(() => undefined), GROUP_MILLISECONDS);
  }

  /** Writes what is there; resolves when all so far is written. Throws when it could not be. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const group = this.#pending;
    this.#pending = [];
    const write = this.#writing.then(() =>
      group.length === 0 ? undefined : untilAnswered(this.#app, () => settleDeliveries(this.#app, group)),
    );
    this.#writing = write.catch((error) =>
      this.#app.log.error({ err: error, mails: group.length }, 'accepted mails could not be recorded; recovery will look them up'),
    );
    return write;
  }
}

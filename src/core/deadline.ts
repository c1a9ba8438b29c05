import { MINUTE, SECOND } from './clock.ts';

/** Milliseconds that work has left when the daemon stops. */
const TIME_TO_STOP = 12 * SECOND;
/** Milliseconds after the deadline in which the work must end, since its connections are closed by then. */
const TIME_TO_END = 3 * SECOND;

/** Limits of a piece of work on an outside server, in milliseconds. */
export interface Limits {
  /** The time for all of it. */
  within: number;
  /** The time after which the work should finish on its own; by default when `stopping` is aborted. */
  endAfter?: number;
  /** Aborted when the daemon stops: the work then has 12 s left. */
  stopping?: AbortSignal | undefined;
}

interface Connection {
  close(): void;
}

/** The time limit of a piece of work on an outside server. */
export class Deadline {
  readonly #connections = new Set<Connection>();
  readonly #ending = new AbortController();
  isOver = false;

  /** Aborted when the work should finish on its own. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  /** Closes the connection at the deadline, if the work is not done by then. Its pending command must fail when it is closed. */
  closes(connection: Connection): void {
    this.#connections.add(connection);
    if (this.isOver) connection.close();
  }

  end(): void {
    this.#ending.abort();
  }

  expire(): void {
    this.isOver = true;
    this.end();
    for (const connection of this.#connections) connection.close();
  }
}

/**
 * Runs a piece of work on an outside server and ends it at the deadline. An idle timeout is not enough: a server that sends a byte now and
 * then never triggers it. Rejects after the deadline even if the work never ends.
 */
export async function withDeadline<Result>(limits: Limits, work: (deadline: Deadline) => Promise<Result>): Promise<Result> {
  const { within, endAfter, stopping } = limits;
  const deadline = new Deadline();
  const over = Promise.withResolvers<never>();
  const timers: NodeJS.Timeout[] = [];
  const expireIn = (milliseconds: number) => {
    timers.push(setTimeout(() => deadline.expire(), milliseconds));
    timers.push(setTimeout(() => over.reject(new Error('the work did not end')), milliseconds + TIME_TO_END));
  };
  const onStop = () => {
    deadline.end();
    expireIn(TIME_TO_STOP);
  };
  expireIn(within);
  if (endAfter !== undefined) timers.push(setTimeout(() => deadline.end(), endAfter));
  if (stopping?.aborted) onStop();
  else stopping?.addEventListener('abort', onStop, { once: true });
  try {
    return await Promise.race([work(deadline), over.promise]);
  } catch (error) {
    if (!deadline.isOver) throw error;
    throw new Error(stopping?.aborted ? 'cut off because the daemon is stopping' : `the server took longer than ${inWords(within)}`, {
      cause: error,
    });
  } finally {
    for (const timer of timers) clearTimeout(timer);
    stopping?.removeEventListener('abort', onStop);
  }
}

const inWords = (milliseconds: number): string =>
  milliseconds >= 2 * MINUTE ? `${Math.round(milliseconds / MINUTE)} minutes` : `${milliseconds / SECOND} s`;

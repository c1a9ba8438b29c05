import { conflict } from '../core/errors.ts';
import { SAME_SIGNAL } from '../core/stop-signal.ts';

/** Time limit for a drain. Mail servers are cut off well before it (`withDeadline`). */
const DRAIN_SECONDS = 30;

/** Signals to a daemon that end it: SIGINT, SIGTERM, and SIGHUP from a terminal that is closed. The first asks it to drain, a second ends it. */
export interface StopSignals {
  /** True once a signal has come. */
  readonly isStopping: () => boolean;
  /** Asks for the drain as the first signal does. */
  stop(): void;
  /** Resolves to the result of the work; rejects with `conflict` if a second signal comes first. */
  orSecond<Result>(work: Promise<Result>): Promise<Result>;
  /**
   * Waits for the first signal, then runs `stop`. Returns the error of a drain that failed, or that a second signal or the
   * time limit ended; otherwise undefined.
   */
  drain(stop: () => Promise<void>): Promise<Error | undefined>;
}

/**
 * Listens for signals from now on: before a port is open and before anything is sent, so that none meets the default
 * handler, which ends the process immediately.
 */
export function stopSignals(isAtTerminal = process.stdin.isTTY || process.stdout.isTTY): StopSignals {
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<never>();
  second.promise.catch(() => undefined);
  let firstAt: number | undefined;
  const onSignal = () => {
    const now = performance.now();
    firstAt ??= now;
    first.resolve();
    if (now - firstAt >= SAME_SIGNAL)
      second.reject(conflict('stopped before the drain finished; the next start recovers the emails in flight'));
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  // To a service, SIGHUP means "reread your settings". The daemon has nothing to reread; by default it would exit immediately.
  process.on('SIGHUP', isAtTerminal ? onSignal : () => undefined);
  // By default SIGUSR1 opens Node's inspector, in which any user of the machine could run code, and SIGUSR2 ends the process.
  process.on('SIGUSR1', () => undefined).on('SIGUSR2', () => undefined);
  const orSecond = <Result>(work: Promise<Result>) => Promise.race([work, second.promise]);
  return {
    isStopping: () => firstAt !== undefined,
    stop: first.resolve,
    orSecond,
    async drain(stop) {
      await first.promise;
      const limit = Promise.withResolvers<never>();
      const timer = setTimeout(
        () => limit.reject(conflict(`the drain was stopped after ${DRAIN_SECONDS} s; the next start recovers the emails in flight`)),
        DRAIN_SECONDS * 1_000,
      );
      return Promise.race([orSecond(stop()), limit.promise])
        .then(
          () => undefined,
          (error: Error) => error,
        )
        .finally(() => clearTimeout(timer));
    },
  };
}

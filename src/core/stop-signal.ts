import { SECOND } from './clock.ts';

/**
 * Milliseconds in which a signal that comes again is the same Ctrl-C. The terminal sends it to every process of its group, and npm passes it on
 * where its shell has made way for this program, as bash does. A terminal that is closed may send SIGHUP twice, too.
 */
export const SAME_SIGNAL = SECOND;

/**
 * Calls `end` on a signal that asks this process to end, and on each that follows within `SAME_SIGNAL`; a later one ends the process at once.
 * Returns how to stop listening, which after a signal happens by itself.
 */
export function onStopSignal(
  end: (signal: NodeJS.Signals) => void,
  signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM'],
): () => void {
  let timer: NodeJS.Timeout | undefined;
  const release = () => {
    for (const signal of signals) process.off(signal, onSignal);
  };
  const onSignal = (signal: NodeJS.Signals) => {
    timer ??= setTimeout(release, SAME_SIGNAL).unref();
    end(signal);
  };
  for (const signal of signals) process.on(signal, onSignal);
  return () => {
    if (timer === undefined) release();
  };
}

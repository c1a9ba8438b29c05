import { SECOND } from './clock.ts';

/**
 * Milliseconds within which a repeated signal counts as the same Ctrl-C. The terminal sends it to every process of its group, and npm
 * forwards it where its shell has replaced itself with this program, as bash does. Closing a terminal may send SIGHUP twice, too.
 */
export const SAME_SIGNAL = SECOND;

/**
 * Calls `end` on a signal that asks this process to end, and on each that follows within `SAME_SIGNAL`; a later one ends the process
 * immediately. Returns a function that stops listening. After a signal, listening stops on its own.
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

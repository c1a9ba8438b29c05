import { onStopSignal } from '../../core/stop-signal.ts';
import { onReaderGone, say } from '../terminal.ts';
import type { WatchOptions } from './persistently.ts';

/**
 * Follows something on a server until Ctrl-C or SIGTERM, or until the reader closes stdout. Says on stderr when the server does not answer.
 * @param server its URL; null on this machine
 */
export async function watch(server: string | null, work: (options: WatchOptions) => Promise<void>): Promise<void> {
  const ended = new AbortController();
  const end = () => ended.abort();
  const onTrouble = (reason: string | null) => say(reason === null ? 'The server answers again.' : `${reason}; trying again`);
  const release = onStopSignal(end);
  onReaderGone(end);
  try {
    await work({ signal: ended.signal, url: server ?? undefined, onTrouble });
  } finally {
    release();
  }
}

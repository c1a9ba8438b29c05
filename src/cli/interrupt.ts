import { OutreachError } from '../errors.ts';

/**
 * Runs long work that Ctrl-C or SIGTERM abort in good order: the signal aborts with an error that says what became of
 * the work. A second Ctrl-C ends the process at once.
 * @param consequence for example `nothing was imported; run it again`
 */
export async function interruptible<Result>(consequence: string, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController();
  const abort = () => controller.abort(new OutreachError('conflict', `interrupted: ${consequence}`));
  process.once('SIGINT', abort).once('SIGTERM', abort);
  try {
    return await work(controller.signal);
  } finally {
    process.off('SIGINT', abort).off('SIGTERM', abort);
  }
}

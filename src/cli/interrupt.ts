import { OutreachError } from '../core/errors.ts';

/** What a shell adds to the number of the signal that ended a command: 130 for Ctrl-C. */
const EXIT_STATUS = { SIGINT: 130, SIGTERM: 143 } as const;

/** A person or the system ended a command, which says what became of its work. */
export class Interrupted extends OutreachError {
  readonly exitStatus: number;

  /** @param consequence for example `nothing was imported; run it again` */
  constructor(consequence: string, signal: keyof typeof EXIT_STATUS = 'SIGINT') {
    super('conflict', `interrupted: ${consequence}`);
    this.exitStatus = EXIT_STATUS[signal];
  }
}

/**
 * Runs long work that Ctrl-C or SIGTERM abort in good order: the signal aborts with an error that says what became of
 * the work. A second Ctrl-C ends the process at once.
 * @param consequence for example `nothing was imported; run it again`
 */
export async function interruptible<Result>(consequence: string, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController();
  const abort = (signal: keyof typeof EXIT_STATUS) => controller.abort(new Interrupted(consequence, signal));
  process.once('SIGINT', abort).once('SIGTERM', abort);
  try {
    return await work(controller.signal);
  } finally {
    process.off('SIGINT', abort).off('SIGTERM', abort);
  }
}

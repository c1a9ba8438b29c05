import { OutreachError } from '../core/errors.ts';

/** Exit statuses by convention of the shell, 128 plus the number of the signal: 130 for Ctrl-C. */
const EXIT_STATUS = { SIGINT: 130, SIGTERM: 143 } as const;

/** A signal ended a command; the message says what became of its work. */
export class Interrupted extends OutreachError {
  readonly exitStatus: number;

  /** @param consequence for example `nothing was imported; run the command again` */
  constructor(consequence: string, signal: keyof typeof EXIT_STATUS = 'SIGINT') {
    super('conflict', `interrupted: ${consequence}`);
    this.exitStatus = EXIT_STATUS[signal];
  }
}

/**
 * Runs long work so that Ctrl-C or SIGTERM aborts it cleanly: its AbortSignal is aborted with an `Interrupted` error. A
 * second Ctrl-C ends the process at once.
 * @param consequence for example `nothing was imported; run the command again`
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

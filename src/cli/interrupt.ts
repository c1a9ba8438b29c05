import { constants } from 'node:os';
import { OutreachError } from '../core/errors.ts';
import { onStopSignal } from '../core/stop-signal.ts';

/** A signal ended a command; the message says what became of its work. */
export class Interrupted extends OutreachError {
  /** By shell convention, 128 plus the number of the signal: 130 for Ctrl-C. */
  readonly exitStatus: number;

  /** @param consequence for example `nothing was imported; run the command again` */
  constructor(consequence: string, signal: NodeJS.Signals = 'SIGINT') {
    super('conflict', `interrupted: ${consequence}`);
    this.exitStatus = 128 + constants.signals[signal];
  }
}

/**
 * Runs long work so that Ctrl-C or SIGTERM aborts it cleanly: its AbortSignal is aborted with an `Interrupted` error. A
 * second Ctrl-C ends the process immediately, see `onStopSignal`.
 * @param consequence for example `nothing was imported; run the command again`
 */
export async function interruptible<Result>(consequence: string, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController();
  const release = onStopSignal((signal) => controller.abort(new Interrupted(consequence, signal)));
  try {
    return await work(controller.signal);
  } finally {
    release();
  }
}

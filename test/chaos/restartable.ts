import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { accepts } from '../../src/db/embedded/ports.ts';
import { afterFile } from '../support/after-file.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Seconds that a server may take to start on a busy machine. */
const MAX_START_SECONDS = 120;

/** A program that listens on a port, and can be restarted after it was killed. */
export class Restartable {
  readonly #run: () => ChildProcess;
  readonly #port: number;
  #child: ChildProcess | undefined;

  constructor(port: number, run: () => ChildProcess) {
    this.#port = port;
    this.#run = run;
    afterFile(() => this.kill());
  }

  kill(): void {
    this.#child?.kill('SIGKILL');
  }

  async start(): Promise<void> {
    if (this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'exit');
    this.#child = this.#run();
    await waitUntil('a server of the run takes connections', () => accepts(this.#port), MAX_START_SECONDS);
  }
}

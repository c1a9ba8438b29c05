import { canMoveCursor, sayInPlace } from './terminal.ts';

const WIDTH = 24;
const INTERVAL_MILLISECONDS = 100;

/** A progress bar on stderr; writes nothing where stderr is not a terminal. */
export class Progress {
  readonly #isShown = process.stderr.isTTY === true && canMoveCursor();
  #shownAt = 0;

  /** @param done from 0 to 1 @param text the current work with its figures, for example `reading: 1,204 rows` */
  show(done: number, text: string): void {
    const at = performance.now();
    if (!this.#isShown || at - this.#shownAt < INTERVAL_MILLISECONDS) return;
    this.#shownAt = at;
    const share = Math.max(0, Math.min(1, done));
    const full = Math.round(share * WIDTH);
    const bar = `${'█'.repeat(full)}${'░'.repeat(WIDTH - full)}`;
    const line = `${bar} ${Math.floor(share * 100)}%  ${text}`.slice(0, (process.stderr.columns ?? 80) - 1);
    sayInPlace(line);
  }

  /** Erases the bar; call it before printing anything else. */
  end(): void {
    if (this.#isShown && this.#shownAt > 0) sayInPlace('');
    this.#shownAt = 0;
  }
}

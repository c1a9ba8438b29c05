const WIDTH = 24;
const INTERVAL_MILLISECONDS = 100;

/** A progress bar on stderr, where that is a terminal; else nothing is written. */
export class Progress {
  readonly #isShown = process.stderr.isTTY === true;
  #shownAt = 0;

  /** @param done from 0 to 1 @param text what is being done, with its figures */
  show(done: number, text: string): void {
    const at = performance.now();
    if (!this.#isShown || at - this.#shownAt < INTERVAL_MILLISECONDS) return;
    this.#shownAt = at;
    const share = Math.max(0, Math.min(1, done));
    const full = Math.round(share * WIDTH);
    const bar = `${'█'.repeat(full)}${'░'.repeat(WIDTH - full)}`;
    const line = `${bar} ${Math.floor(share * 100)} %  ${text}`.slice(0, (process.stderr.columns ?? 80) - 1);
    process.stderr.write(`\r\u001b[K${line}`);
  }

  /** Takes the bar away, before anything else is printed. */
  end(): void {
    if (this.#isShown && this.#shownAt > 0) process.stderr.write('\r\u001b[K');
    this.#shownAt = 0;
  }
}

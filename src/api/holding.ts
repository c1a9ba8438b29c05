import type { ServerResponse } from 'node:http';

/**
 * Holds what a request takes of its key's limits until its response has been sent and its work has ended: a client that reads slowly
 * holds memory, and one that has gone may have left work behind.
 */
export class Holding {
  readonly #res: ServerResponse;
  readonly #ends: (() => void)[] = [];
  #works = 0;

  constructor(res: ServerResponse) {
    this.#res = res;
    res.once('close', () => this.#endIfOver());
  }

  /** Adds a function to be called at the end. */
  add(end: () => void): void {
    this.#ends.push(end);
    this.#endIfOver();
  }

  /** Runs a part of the work. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#works++;
    try {
      return await work();
    } finally {
      this.#works--;
      this.#endIfOver();
    }
  }

  #endIfOver(): void {
    if (this.#works > 0 || !this.#res.closed) return;
    for (const end of this.#ends.splice(0)) end();
  }
}

import type { Push } from '../live/index.ts';
import { applyLoss, applyPush, type DashboardState, INITIAL_STATE } from './state.ts';

/** Five frames a second: faster than an eye reads rows, and a bound on what a flood of events can cost. */
const FRAME_MILLISECONDS = 200;

/** The state of the dashboard, which components subscribe to. A burst of pushes is one notice. */
export class DashboardStore {
  #state: DashboardState = INITIAL_STATE;
  #shown: DashboardState = INITIAL_STATE;
  readonly #listeners = new Set<() => void>();
  #frame: NodeJS.Timeout | undefined;

  /** The state as of the last notice; for `useSyncExternalStore`. */
  readonly snapshot = (): DashboardState => this.#shown;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly onPush = (push: Push): void => this.#change(applyPush(this.#state, push, performance.now()));

  readonly onLost = (reason: string): void => this.#change(applyLoss(this.#state, reason));

  /** No notice comes after this. */
  close(): void {
    clearTimeout(this.#frame);
    this.#listeners.clear();
  }

  #change(state: DashboardState): void {
    this.#state = state;
    this.#frame ??= setTimeout(() => {
      this.#frame = undefined;
      this.#shown = this.#state;
      for (const listener of this.#listeners) listener();
    }, FRAME_MILLISECONDS);
  }
}

import type { Push } from '../live/index.ts';
import { applyLoss, applyPush, type DashboardState, INITIAL_STATE } from './state.ts';

/** Five updates a second: faster than anyone reads, and it limits the cost of a burst of events. */
const FRAME_MILLISECONDS = 200;

/** The state of the dashboard, which components subscribe to. A burst of pushes notifies them once. */
export class DashboardStore {
  #state: DashboardState = INITIAL_STATE;
  #shown: DashboardState = INITIAL_STATE;
  readonly #listeners = new Set<() => void>();
  #frame: NodeJS.Timeout | undefined;

  /** The state as of the last notification, for `useSyncExternalStore`. */
  readonly snapshot = (): DashboardState => this.#shown;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly onPush = (push: Push): void => this.#change(applyPush(this.#state, push, performance.now()));

  readonly onLost = (reason: string): void => this.#change(applyLoss(this.#state, reason));

  /** Stops notifying. */
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

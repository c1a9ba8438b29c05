import type { Api } from './connection.ts';

/** Gives the terminal to another program while the work runs. */
export type Suspend = (work: () => Promise<void>) => Promise<void>;

/** A change that the operator has yet to confirm. */
export interface Action {
  /** The question, for example `Pause the campaign "Spring"?`. */
  question: string;
  /** Notice after success, if `run` gives none. */
  done: string;
  /**
   * Makes the change. Resolves to a notice, or to any other value for `done`. Rejects with the daemon's refusal, for example for a `view_only`
   * key.
   */
  run(api: Api, suspend: Suspend): Promise<unknown>;
}

/** The change that a key proposes for a row, or the reason why it can't be made. */
export type Proposal = Action | { refused: string };

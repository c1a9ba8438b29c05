import { SECOND } from '../../core/clock.ts';
import type { PreparedEmail } from './prepare-emails.ts';

/** Milliseconds for which a successful check of a mailbox is reused. */
const CHECK_LIFETIME = SECOND;

interface Reading {
  at: Date;
  wasRead: boolean;
}

/** Ensures that reply mailboxes are polled before the follow-ups of a batch, so that no follow-up crosses a reply. */
export class ReplyMailboxes {
  readonly #ensurePolled: (accountId: number) => Promise<readonly number[]>;
  readonly #retryDelay: number;
  /** Last check of each account's mailbox. */
  readonly #readings = new Map<number, Reading>();

  /**
   * @param ensurePolled polls an account's mailbox unless it was polled within the poll interval; resolves to the accounts
   * whose mailbox is unreadable
   * @param retryDelay milliseconds before an unreadable mailbox is checked again
   */
  constructor(ensurePolled: (accountId: number) => Promise<readonly number[]>, retryDelay: number) {
    this.#ensurePolled = ensurePolled;
    this.#retryDelay = retryDelay;
  }

  /**
   * Resolves to true for first emails, for emails whose replies go to no connected account, and if all reply mailboxes were polled within
   * the poll interval: the campaign's and those to which earlier emails of the sequence directed replies. Polls them if needed, at most
   * once a second, because a batch with gaps or a slow server can outlast the interval.
   */
  async areReadFor({ claim, replyAccountId, promisedAccountIds }: PreparedEmail, now: Date): Promise<boolean> {
    if (!claim.is_follow_up) return true;
    for (const accountId of new Set([...(replyAccountId === null ? [] : [replyAccountId]), ...promisedAccountIds]))
      if (!(await this.#isRead(accountId, now))) return false;
    return true;
  }

  async #isRead(accountId: number, now: Date): Promise<boolean> {
    const last = this.#readings.get(accountId);
    const age = last === undefined ? Number.NaN : now.getTime() - last.at.getTime();
    // If the clock was set back, a negative age would keep the result fresh for that long.
    if (last !== undefined && age >= 0 && age < (last.wasRead ? CHECK_LIFETIME : this.#retryDelay)) return last.wasRead;
    const wasRead = (await this.#ensurePolled(accountId)).length === 0;
    this.#readings.set(accountId, { at: now, wasRead });
    return wasRead;
  }
}

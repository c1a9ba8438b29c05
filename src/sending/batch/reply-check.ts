import { SECOND } from '../../core/clock.ts';
import type { WrittenMail } from './write.ts';

/** What one batch knows of the mailboxes where replies to its follow-ups arrive. */
export class AnswersRead {
  readonly #putOff: number;
  readonly #ensurePolled: (mailbox: number) => Promise<readonly number[]>;
  /** When it was asked whether a mailbox was read, and the answer. */
  readonly #readings = new Map<number, { at: number; isRead: boolean }>();

  /**
   * @param putOff milliseconds for which a mailbox that could not be read is not asked again
   * @param ensurePolled reads a mailbox unless it was read within the poll interval; answers it when it could not be read
   */
  constructor(putOff: number, ensurePolled: (mailbox: number) => Promise<readonly number[]>) {
    this.#putOff = putOff;
    this.#ensurePolled = ensurePolled;
  }

  /**
   * Whether the mailbox where a reply to the mails before this one may lie was read within the poll interval. Asked again
   * once a second has passed: a batch with pauses in it, or a slow server, lasts longer than that interval.
   */
  async areReadFor({ claim, replyAccountId }: WrittenMail, now: Date): Promise<boolean> {
    if (!claim.is_follow_up || replyAccountId === null) return true;
    const known = this.#readings.get(replyAccountId);
    if (known !== undefined && now.getTime() - known.at < (known.isRead ? SECOND : this.#putOff)) return known.isRead;
    const isRead = (await this.#ensurePolled(replyAccountId)).length === 0;
    this.#readings.set(replyAccountId, { at: now.getTime(), isRead });
    return isRead;
  }
}

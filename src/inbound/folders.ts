import type { ImapFlow } from 'imapflow';
import { type Clock, HOUR, MINUTE } from '../core/clock.ts';
import { type ListedFolders, listFolders, type OtherFolders, polledFolders } from '../mail/polled-folders.ts';
import { asking } from './mailbox.ts';

/** Folders seldom change, and some mailboxes have thousands of them. */
const MAX_AGE = HOUR;
/**
 * A folder is opened and searched at least so often, whatever the server says of its state: some servers never change that. In milliseconds;
 * replies come to INBOX.
 */
const LOOK_AFTER = { inbox: 7 * MINUTE, other: HOUR };

/** The memory of one daemon for the folders of mailboxes: which there are, listed at most once an hour, and when each was opened. */
export class FolderLists {
  readonly #clock: Clock;
  readonly #lists = new Map<number, ListedFolders & { at: number }>();
  readonly #looks = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The folders that are polled beside INBOX. Lists over `client`. Throws with the server's words. */
  async of({ accountId, folders: extra }: { accountId: number; folders: readonly string[] }, client: ImapFlow): Promise<OtherFolders> {
    const at = this.#clock.now().getTime();
    const known = this.#lists.get(accountId);
    if (known !== undefined && at - known.at < MAX_AGE) return polledFolders(known, extra);
    const listed = { ...(await asking(client, 'LIST', () => listFolders(client))), at };
    this.#lists.set(accountId, listed);
    return polledFolders(listed, extra);
  }

  /** True when the folder was not opened for so long that what the server says of its state is not enough. */
  isLookDue(accountId: number, path: string): boolean {
    const last = this.#looks.get(`${accountId} ${path}`) ?? Number.NEGATIVE_INFINITY;
    return this.#clock.now().getTime() - last >= (path === 'INBOX' ? LOOK_AFTER.inbox : LOOK_AFTER.other);
  }

  /** Notes that the folder was opened and searched. */
  looked(accountId: number, path: string): void {
    this.#looks.set(`${accountId} ${path}`, this.#clock.now().getTime());
  }

  /** Has the next poll of this account list its folders again. */
  forget(accountId: number): void {
    this.#lists.delete(accountId);
  }

  /** Has the next poll of this account open INBOX, since the server has announced a message there. */
  expect(accountId: number): void {
    this.#looks.delete(`${accountId} INBOX`);
  }
}

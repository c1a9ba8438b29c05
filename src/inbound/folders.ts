import type { ImapFlow } from 'imapflow';
import { type Clock, HOUR, MINUTE } from '../core/clock.ts';
import { type ListedFolders, listFolders, type OtherFolders, polledFolders } from '../mail/polled-folders.ts';
import { sendCommand } from './mailbox.ts';

/** Folders seldom change, and some mailboxes have thousands of them. */
const MAX_AGE = HOUR;
/** Milliseconds after which a folder is opened and searched even if its STATUS stays the same: on some servers it never changes. */
const REOPEN_AFTER = { inbox: 7 * MINUTE, other: HOUR };

/** The memory of one daemon for the folders of mailboxes: which there are, listed at most once an hour, and when each was opened. */
export class FolderLists {
  readonly #clock: Clock;
  readonly #lists = new Map<number, ListedFolders & { at: number }>();
  readonly #openedAt = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The folders that are polled beside INBOX. Lists over `client`. Throws with the server's words. */
  async of({ accountId, folders: extra }: { accountId: number; folders: readonly string[] }, client: ImapFlow): Promise<OtherFolders> {
    const at = this.#clock.now().getTime();
    const known = this.#lists.get(accountId);
    if (known !== undefined && at - known.at < MAX_AGE) return polledFolders(known, extra);
    const listed = { ...(await sendCommand(client, 'LIST', () => listFolders(client))), at };
    this.#lists.set(accountId, listed);
    return polledFolders(listed, extra);
  }

  /** True if the folder was not opened for so long that its STATUS is no longer enough. */
  isOpeningDue(accountId: number, path: string): boolean {
    const last = this.#openedAt.get(`${accountId} ${path}`) ?? Number.NEGATIVE_INFINITY;
    return this.#clock.now().getTime() - last >= (path === 'INBOX' ? REOPEN_AFTER.inbox : REOPEN_AFTER.other);
  }

  /** Notes that the folder was opened and searched. */
  noteOpened(accountId: number, path: string): void {
    this.#openedAt.set(`${accountId} ${path}`, this.#clock.now().getTime());
  }

  /** Makes the next poll of this account list its folders again. */
  forget(accountId: number): void {
    this.#lists.delete(accountId);
  }

  /** Makes the next poll of this account open INBOX, since the server has announced a message there. */
  expect(accountId: number): void {
    this.#openedAt.delete(`${accountId} INBOX`);
  }
}

import type { ImapFlow } from 'imapflow';
import { type Clock, HOUR, MINUTE } from '../core/clock.ts';
import { type ListedFolders, listFolders, type OtherFolders, polledFolders } from '../mail/polled-folders.ts';
import { sendCommand } from './mailbox.ts';

/** Folders rarely change, and some mailboxes have thousands of them. */
const MAX_AGE = HOUR;
/** Milliseconds after which a folder is opened and searched even if its STATUS is unchanged, because on some servers it never changes. */
const REOPEN_AFTER = { inbox: 7 * MINUTE, other: HOUR };

/** One daemon's cache of the folders of mailboxes, listed at most once an hour, and of when each folder was last opened. */
export class FolderLists {
  readonly #clock: Clock;
  readonly #lists = new Map<number, ListedFolders & { at: number }>();
  readonly #openedAt = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the folders to poll in addition to INBOX. Lists them over `client` if needed. Throws with the server's words. */
  async of({ accountId, folders: extra }: { accountId: number; folders: readonly string[] }, client: ImapFlow): Promise<OtherFolders> {
    const at = this.#clock.now().getTime();
    const known = this.#lists.get(accountId);
    if (known !== undefined && at - known.at < MAX_AGE) return polledFolders(known, extra);
    const listed = { ...(await sendCommand(client, 'LIST', () => listFolders(client))), at };
    this.#lists.set(accountId, listed);
    return polledFolders(listed, extra);
  }

  /** Returns true if the folder was not opened for so long that its STATUS is no longer enough. */
  isOpeningDue(accountId: number, path: string): boolean {
    const last = this.#openedAt.get(`${accountId} ${path}`) ?? Number.NEGATIVE_INFINITY;
    return this.#clock.now().getTime() - last >= (path === 'INBOX' ? REOPEN_AFTER.inbox : REOPEN_AFTER.other);
  }

  /** Records that the folder was opened and searched. */
  noteOpened(accountId: number, path: string): void {
    this.#openedAt.set(`${accountId} ${path}`, this.#clock.now().getTime());
  }

  /** Makes the next poll of this account list its folders again. */
  forget(accountId: number): void {
    this.#lists.delete(accountId);
  }

  /** Makes the next poll of this account open INBOX, because the server has announced a message there. */
  expect(accountId: number): void {
    this.#openedAt.delete(`${accountId} INBOX`);
  }
}

import type { ImapFlow, ListResponse } from 'imapflow';
import { type Clock, HOUR } from '../core/clock.ts';

/** Folders seldom change, and some mailboxes have thousands of them. */
const MAX_AGE = HOUR;

type Folder = Pick<ListResponse, 'path' | 'specialUse'>;

interface Listed {
  folders: readonly Folder[];
  at: number;
}

/**
 * Chooses the folders in which replies are looked for: the inbox, the folder for spam, and the one for all mail where the server
 * marks them (`\Junk`, `\All`, RFC 6154 §2), so that a reply archived on a phone is found; then those of `extra` that exist.
 */
export function polledFolders(listed: readonly Folder[], extra: readonly string[]): string[] {
  const special = ['\\Junk', '\\All'].flatMap((use) => listed.find((folder) => folder.specialUse === use)?.path ?? []);
  return [...new Set(['INBOX', ...special, ...extra.filter((path) => listed.some((folder) => folder.path === path))])];
}

/** The folders of each mailbox, listed at most once an hour. */
export class FolderLists {
  readonly #clock: Clock;
  readonly #lists = new Map<number, Listed>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The paths of the folders that are polled. Lists over `client`. */
  async of({ accountId, folders: extra }: { accountId: number; folders: readonly string[] }, client: ImapFlow): Promise<readonly string[]> {
    const at = this.#clock.now().getTime();
    const known = this.#lists.get(accountId);
    const folders = known !== undefined && at - known.at < MAX_AGE ? known.folders : await client.list();
    if (folders !== known?.folders)
      this.#lists.set(accountId, { folders: folders.map(({ path, specialUse }) => ({ path, specialUse })), at });
    return polledFolders(folders, extra);
  }

  /** Has the next poll of this account list its folders again. */
  forget(accountId: number): void {
    this.#lists.delete(accountId);
  }
}

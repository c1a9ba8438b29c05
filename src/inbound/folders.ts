import type { ImapFlow } from 'imapflow';
import { type Clock, HOUR } from '../core/clock.ts';

/** Folders seldom change, and some mailboxes have thousands of them. */
const MAX_AGE = HOUR;

interface Listed {
  paths: readonly string[];
  at: number;
}

/** The folders of each mailbox in which replies arrive, listed at most once an hour. */
export class FolderLists {
  readonly #clock: Clock;
  readonly #lists = new Map<number, Listed>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The paths of the inbox and of the folder for spam, where the server marks one as `\Junk` (RFC 6154). Lists over `client`. */
  async of(accountId: number, client: ImapFlow): Promise<readonly string[]> {
    const at = this.#clock.now().getTime();
    const known = this.#lists.get(accountId);
    if (known !== undefined && at - known.at < MAX_AGE) return known.paths;
    const junk = (await client.list()).find((folder) => folder.specialUse === '\\Junk')?.path;
    const paths = ['INBOX', ...(junk === undefined ? [] : [junk])];
    this.#lists.set(accountId, { paths, at });
    return paths;
  }

  /** Has the next poll of this account list its folders again. */
  forget(accountId: number): void {
    this.#lists.delete(accountId);
  }
}

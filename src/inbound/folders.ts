import type { ImapFlow, ListResponse } from 'imapflow';
import { type Clock, HOUR, MINUTE } from '../core/clock.ts';
import { asking } from './mailbox.ts';

/** Folders seldom change, and some mailboxes have thousands of them. */
const MAX_AGE = HOUR;
/**
 * A folder is opened and searched at least so often, whatever the server says of its state: some servers never change that. In milliseconds;
 * replies come to INBOX.
 */
const LOOK_AFTER = { inbox: 7 * MINUTE, other: HOUR };

type Folder = Pick<ListResponse, 'path' | 'specialUse' | 'flags'>;

interface Listed {
  folders: readonly Folder[];
  prefix: string;
  delimiter: string;
  at: number;
}

/** The folders that are polled beside INBOX, and those that somebody named and the server does not have. */
export interface OtherFolders {
  paths: readonly string[];
  absent: readonly string[];
}

/**
 * Chooses the folders beside INBOX in which replies are looked for: the folder for spam, and the one for all mail where the server marks
 * them (`\Junk`, `\All`, RFC 6154 §2), so that a reply archived on a phone is found; then those of `extra` that exist. A folder that can't
 * be opened (`\Noselect`, `\NonExistent`) is none.
 */
export function polledFolders({ folders, prefix, delimiter }: Omit<Listed, 'at'>, extra: readonly string[]): OtherFolders {
  const readable = folders.filter(({ flags }) => !flags.has('\\Noselect') && !flags.has('\\NonExistent'));
  const special = ['\\Junk', '\\All'].flatMap((use) => readable.find(({ specialUse }) => specialUse === use)?.path ?? []);
  const named = extra.map((name) => ({ name, path: pathOf(name) }));
  const paths = new Set([...special, ...named.flatMap(({ path }) => path ?? [])]);
  paths.delete('INBOX');
  return { paths: [...paths], absent: named.flatMap(({ name, path }) => (path === undefined ? [name] : [])) };

  /** People write `Archive` for `INBOX.Archive`, and `/` for whatever the server puts between two names. */
  function pathOf(name: string): string | undefined {
    if (name.toUpperCase() === 'INBOX') return 'INBOX';
    const spellings = [name, name.replaceAll('/', delimiter)].flatMap((spelling) => [spelling, `${prefix}${spelling}`]);
    return spellings.find((spelling) => readable.some(({ path }) => path === spelling));
  }
}

/** What one daemon remembers of the folders of mailboxes: those that there are, listed at most once an hour, and when each was opened. */
export class FolderLists {
  readonly #clock: Clock;
  readonly #lists = new Map<number, Listed>();
  readonly #looks = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The folders that are polled beside INBOX. Lists over `client`. Throws with the server's words. */
  async of({ accountId, folders: extra }: { accountId: number; folders: readonly string[] }, client: ImapFlow): Promise<OtherFolders> {
    const at = this.#clock.now().getTime();
    const known = this.#lists.get(accountId);
    if (known !== undefined && at - known.at < MAX_AGE) return polledFolders(known, extra);
    const found = await asking(client, 'LIST', () => client.list());
    const folders = found.map(({ path, specialUse, flags }) => ({ path, specialUse, flags }));
    const { prefix, delimiter } = client.namespace || {};
    const listed = { folders, prefix: prefix ?? '', delimiter: delimiter ?? '/', at };
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

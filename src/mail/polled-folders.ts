import type { ImapFlow, ListResponse } from 'imapflow';

type Folder = Pick<ListResponse, 'path' | 'specialUse' | 'flags'>;

/** Most commas in a folder name that was written without quotes. */
const MOST_COMMAS = 3;

/** The folders of a server. */
export interface ListedFolders {
  folders: readonly Folder[];
  /** The prefix of the user's own folders, such as `INBOX.`, and the separator between two levels (RFC 2342). */
  prefix: string;
  delimiter: string;
}

/** The folders other than INBOX that are polled, and the configured ones that the server does not have. */
export interface OtherFolders {
  paths: readonly string[];
  absent: readonly string[];
}

/**
 * Chooses the folders to search for replies besides INBOX: the spam folder and the folder with all mail, if the server marks them (`\Junk`,
 * `\All`, RFC 6154 §2), then those of `extra` that exist. The folder with all mail has replies that were archived on a phone. Ignores
 * folders that can't be opened (`\Noselect`, `\NonExistent`).
 */
export function polledFolders({ folders, prefix, delimiter }: ListedFolders, extra: readonly string[]): OtherFolders {
  const readable = folders.filter(({ flags }) => !flags.has('\\Noselect') && !flags.has('\\NonExistent'));
  const special = ['\\Junk', '\\All'].flatMap((use) => readable.find(({ specialUse }) => specialUse === use)?.path ?? []);
  const named = resolved(extra);
  const paths = new Set([...special, ...named.flatMap(({ path }) => path ?? [])]);
  paths.delete('INBOX');
  return { paths: [...paths], absent: named.flatMap(({ name, path }) => (path === undefined ? [name] : [])) };

  /** Finds the path of each name. A name with commas that was written without quotes is rejoined if the server has such a folder. */
  function resolved(names: readonly string[]): { name: string; path?: string }[] {
    const [name] = names;
    if (name === undefined) return [];
    for (let count = Math.min(names.length, MOST_COMMAS + 1); count > 0; count--) {
      const parts = names.slice(0, count);
      const path = pathOf(parts.join(', ')) ?? pathOf(parts.join(','));
      if (path !== undefined) return [{ name, path }, ...resolved(names.slice(count))];
    }
    return [{ name }, ...resolved(names.slice(1))];
  }

  /** Returns the path of a folder. People write `Archive` for `INBOX.Archive`, and `/` whatever separator the server uses. */
  function pathOf(name: string): string | undefined {
    if (name.toUpperCase() === 'INBOX') return 'INBOX';
    const spellings = [name, name.replaceAll('/', delimiter)].flatMap((spelling) => [spelling, `${prefix}${spelling}`]);
    return spellings.find((spelling) => readable.some(({ path }) => path === spelling));
  }
}

/** Lists the folders of a server. */
export async function listFolders(client: ImapFlow): Promise<ListedFolders> {
  const folders = (await client.list()).map(({ path, specialUse, flags }) => ({ path, specialUse, flags }));
  const { prefix, delimiter } = client.namespace || {};
  return { folders, prefix: prefix ?? '', delimiter: delimiter ?? '/' };
}

/** Returns the warning about a configured folder that does not exist. */
export const absentFolder = (name: string): string =>
  `the server has no folder ${JSON.stringify(name)}; correct it with: outreach account set --folders`;

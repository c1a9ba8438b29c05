import type { ImapFlow, ListResponse } from 'imapflow';

type Folder = Pick<ListResponse, 'path' | 'specialUse' | 'flags'>;

/** The most commas of a name that is written without quotes. */
const MOST_COMMAS = 3;

/** The folders of a server. */
export interface ListedFolders {
  folders: readonly Folder[];
  /** Put before the names of a person's own folders, such as `INBOX.`, and between two names (RFC 2342). */
  prefix: string;
  delimiter: string;
}

/** The folders that are polled beside INBOX, and those that somebody named and the server does not have. */
export interface OtherFolders {
  paths: readonly string[];
  absent: readonly string[];
}

/**
 * Chooses the folders beside INBOX in which replies are looked for: the spam folder, and the one for all mail where the server marks
 * them (`\Junk`, `\All`, RFC 6154 §2), so that a reply archived on a phone is found; then those of `extra` that exist. A folder that can't
 * be opened (`\Noselect`, `\NonExistent`) is none.
 */
export function polledFolders({ folders, prefix, delimiter }: ListedFolders, extra: readonly string[]): OtherFolders {
  const readable = folders.filter(({ flags }) => !flags.has('\\Noselect') && !flags.has('\\NonExistent'));
  const special = ['\\Junk', '\\All'].flatMap((use) => readable.find(({ specialUse }) => specialUse === use)?.path ?? []);
  const named = resolved(extra);
  const paths = new Set([...special, ...named.flatMap(({ path }) => path ?? [])]);
  paths.delete('INBOX');
  return { paths: [...paths], absent: named.flatMap(({ name, path }) => (path === undefined ? [name] : [])) };

  /** A name with commas that was written without quotes is put together again where the server has it. */
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

  /** People write `Archive` for `INBOX.Archive`, and `/` for whatever the server puts between two names. */
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

/** Says that a folder which somebody named is not there. */
export const absentFolder = (name: string): string =>
  `the server has no folder ${JSON.stringify(name)}; correct it with: outreach account set --folders`;

import type { ImapFlow } from 'imapflow';
import type { App } from '../app.ts';
import { HOUR } from '../core/clock.ts';

/** Folders seldom change, and some mailboxes have thousands of them. */
const MAX_AGE = HOUR;

interface Listed {
  paths: readonly string[];
  at: number;
}

const listed = new WeakMap<App, Map<number, Listed>>();

/** The folders in which answers arrive: the inbox, and where the provider puts what it takes for spam (RFC 6154). */
export async function foldersToPoll(app: App, accountId: number, client: ImapFlow): Promise<readonly string[]> {
  const now = app.clock.now().getTime();
  const known = listed.get(app)?.get(accountId);
  if (known !== undefined && now - known.at < MAX_AGE) return known.paths;
  const junk = (await client.list()).find((folder) => folder.specialUse === '\\Junk')?.path;
  const paths = ['INBOX', ...(junk === undefined ? [] : [junk])];
  const ofApp = listed.get(app) ?? new Map<number, Listed>();
  listed.set(app, ofApp.set(accountId, { paths, at: now }));
  return paths;
}

/** Asks the server again at the next poll. */
export const forgetFolders = (app: App, accountId: number): void => void listed.get(app)?.delete(accountId);

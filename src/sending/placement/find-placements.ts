import type { ImapFlow } from 'imapflow';
import type { Caller } from '../../access/index.ts';
import { daemon, requireVisible } from '../../access/index.ts';
import {
  accountsWithWaiting,
  isWaiting,
  openMailbox,
  openSeed,
  type Placement,
  type PlacementTest,
  readPlacements,
  readSeeds,
  savePlacements,
  type WaitingSeed,
} from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { MINUTE, SECOND } from '../../core/clock.ts';
import { type Deadline, withDeadline } from '../../core/deadline.ts';
import { inParallel } from '../../core/in-parallel.ts';
import { parseTimestamp } from '../../core/timestamp-text.ts';
import { listFolders } from '../../mail/polled-folders.ts';
import { dkimKeysIn, resultsIn } from '../../mail/received-header.ts';
import { serverWords } from '../../mail/server-words.ts';
import { uidOfEmail, uidsWith } from '../email/sent-folder.ts';

/** Minutes within which an email must arrive, greylisting included; after that it is missing. */
const ARRIVES_WITHIN = 15;
/** Milliseconds for the search of one mailbox. */
const MAX_SEARCH_TIME = 30 * SECOND;
const CONCURRENT_MAILBOXES = 4;
/** Maximum number of folders searched in a mailbox. */
const MAX_FOLDERS = 30;

/**
 * Searches for the emails of an account's tests that have not been found yet, and stores their places. Read-only: it opens folders with
 * EXAMINE, and marks or moves no message. Throws `not_found`. Returns the tests, newest first.
 */
export async function findPlacements(app: App, caller: Caller, accountId: number): Promise<PlacementTest[]> {
  await requireVisible(app.db, caller, 'accounts', accountId);
  const { tests } = await readPlacements(app.db, caller, accountId);
  const seeds = await readSeeds(app, accountId);
  for (const { sent_at, results } of tests) {
    const waiting = results.filter(isWaiting);
    if (waiting.length === 0) continue;
    const isLate = app.clock.now().getTime() - parseTimestamp(sent_at).getTime() > ARRIVES_WITHIN * MINUTE;
    const found = await inParallel(waiting, CONCURRENT_MAILBOXES, async (result): Promise<Placement> => {
      const seen = await searchMailbox(app, result, seeds);
      return isWaiting(seen) && isLate ? { ...seen, place: 'missing' } : seen;
    });
    await app.db.tx((tx) => savePlacements(tx, app, accountId, sent_at, found));
  }
  return (await readPlacements(app.db, caller, accountId)).tests;
}

/** Searches for the emails of all tests that have not been found yet. */
export async function findAllPlacements(app: App): Promise<void> {
  for (const { id, workspace_id } of await accountsWithWaiting(app.db)) await findPlacements(app, daemon(workspace_id), id);
}

async function searchMailbox(app: App, result: Placement, seeds: readonly WaitingSeed[]): Promise<Placement> {
  try {
    return await withDeadline({ within: MAX_SEARCH_TIME }, async (deadline) => {
      const client = await mailboxOf(app, result, seeds, { deadline });
      if (client === null) return { ...result, problem: 'its mailbox can no longer be opened from here' };
      try {
        return { ...result, problem: null, ...(await placeIn(client, result.message_id)) };
      } finally {
        await client.logout().catch(() => client.close());
      }
    });
  } catch (error) {
    return { ...result, problem: serverWords(error) };
  }
}

const mailboxOf = (
  app: App,
  { account_id, message_id }: Placement,
  seeds: readonly WaitingSeed[],
  options: { deadline: Deadline },
): Promise<ImapFlow | null> => {
  if (account_id !== null) return openMailbox(app, account_id, options);
  const seed = seeds.find((each) => each.message_id === message_id);
  return seed === undefined ? Promise.resolve(null) : openSeed(app, seed, options);
};

type Found = Pick<Placement, 'place' | 'folder' | 'authentication' | 'dkim_keys'>;

/** Searches a mailbox for an email: first the inbox, then the spam folder, then the others. Empty if no folder contains it. */
async function placeIn(client: ImapFlow, messageId: string): Promise<Partial<Found>> {
  for (const { path, specialUse } of await foldersOf(client)) {
    await client.mailboxOpen(path, { readOnly: true });
    const uid = await uidOfEmail(client, messageId);
    if (uid === undefined) continue;
    const isInbox = path === 'INBOX';
    const place =
      isInbox && (await isPromotion(client, messageId)) ? 'promotions' : isInbox ? 'inbox' : specialUse === '\\Junk' ? 'junk' : 'elsewhere';
    const message = await client.fetchOne(String(uid), { headers: ['authentication-results', 'dkim-signature'] }, { uid: true });
    const header = message ? (message.headers?.toString() ?? '') : '';
    return { place, folder: path, authentication: resultsIn(header), dkim_keys: dkimKeysIn(header) };
  }
  return {};
}

async function foldersOf(client: ImapFlow) {
  const { folders } = await listFolders(client);
  const rank = (path: string, use: string | undefined) => (path === 'INBOX' ? 0 : use === '\\Junk' ? 1 : use === '\\All' ? 3 : 2);
  return folders
    .filter(
      ({ flags, specialUse }) => !flags.has('\\Noselect') && !flags.has('\\NonExistent') && !/^\\(Sent|Drafts)$/.test(specialUse ?? ''),
    )
    .toSorted((a, b) => rank(a.path, a.specialUse) - rank(b.path, b.specialUse))
    .slice(0, MAX_FOLDERS);
}

/** Returns true for an email in the Promotions tab. Gmail exposes tabs only through its own search (X-GM-RAW). */
async function isPromotion(client: ImapFlow, messageId: string): Promise<boolean> {
  if (!client.capabilities.has('X-GM-EXT-1')) return false;
  const found = await uidsWith(client, { gmraw: `category:promotions rfc822msgid:${messageId.slice(1, -1)}` });
  return found.length > 0;
}

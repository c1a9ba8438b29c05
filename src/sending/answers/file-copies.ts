import type { ImapFlow } from 'imapflow';
import { copyDelayOf, noteSentCopyError, noteServerFiles, openMailbox, readFilingAccount } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { DAY, MINUTE, SECOND } from '../../core/clock.ts';
import { type Deadline, withDeadline } from '../../core/deadline.ts';
import type { Placed, Room } from '../../core/room.ts';
import { serverWords } from '../../mail/server-words.ts';
import {
  accountsWithDueCopies,
  beginCopy,
  type ClaimedCopy,
  claimCopy,
  forgetCopiesOf,
  forgetCopy,
  postponeCopy,
} from '../../outbox/index.ts';
import { BACKOFF } from '../email/delays.ts';
import { containsEmail, sentFolderOf } from '../email/sent-folder.ts';

/** Maximum number of copies in one run. */
const MAX_COPIES_PER_RUN = 100;
/**
 * Delays between attempts to file a copy: one more than for an email, because a mailbox may be offline overnight. After the last one we
 * give up.
 */
const DELAYS = [...BACKOFF, DAY];
/** Shorter than the timeouts of a poll, so that the claim outlasts them. */
const TIMINGS = { socketTimeout: MINUTE, connectionTimeout: 30 * SECOND };
/** Milliseconds for one run. */
const MAX_RUN_TIME = 5 * MINUTE;
/** Created in mailboxes without a folder for sent messages, as email clients do. */
const NEW_FOLDER = 'Sent';

/** Lists accounts with due copies of answers, as far as there is room. */
export const dueCopies = (app: App, room: Room): Promise<Placed[]> => accountsWithDueCopies(app.db, app.clock.now(), room);

/**
 * Appends copies of answers, exactly as they were sent, to the Sent folder of their account. Skips a copy that is already there: an earlier
 * attempt was interrupted, or the server files copies itself, which is recorded on the account so that we file no more. A failure is
 * recorded on the account and retried; it is not thrown and does not affect the answer. Returns the number of copies appended.
 */
export async function fileSentCopies(app: App, accountId: number, signal?: AbortSignal): Promise<number> {
  const limits = { within: MAX_RUN_TIME, endAfter: MAX_RUN_TIME / 2, stopping: signal };
  return withDeadline(limits, (deadline) => fileDueCopies(app, accountId, deadline));
}

async function fileDueCopies(app: App, accountId: number, deadline: Deadline): Promise<number> {
  let client: ImapFlow | null = null;
  let appended = 0;
  try {
    for (let turn = 0; turn < MAX_COPIES_PER_RUN && !deadline.ending.aborted; turn++) {
      const account = await readFilingAccount(app.db, accountId);
      if (account === undefined || copyDelayOf(account) === null) {
        await forgetCopiesOf(app.db, accountId);
        break;
      }
      const copy = await claimCopy(app.db, accountId, app.clock.now());
      if (copy === undefined) break;
      try {
        client ??= await openMailbox(app, accountId, { ...TIMINGS, deadline });
        if (client === null) throw new Error('the account has no IMAP server');
        if (await file(app, accountId, client, copy)) appended++;
      } catch (error) {
        await postpone(app, accountId, copy, serverWords(error));
        break;
      }
    }
  } finally {
    await client?.logout().catch(() => client?.close());
  }
  return appended;
}

/** Returns true if it appended the copy. */
async function file(app: App, accountId: number, client: ImapFlow, copy: ClaimedCopy): Promise<boolean> {
  const folder = (await sentFolderOf(client)) ?? (await client.mailboxCreate(NEW_FOLDER)).path;
  await client.mailboxOpen(folder, { readOnly: true });
  const isThere = await containsEmail(client, copy.messageId);
  // While the folder is open read-only, the server would refuse the flags.
  await client.mailboxClose();
  if (!isThere) {
    if (!(await beginCopy(app.db, copy, app.clock.now()))) return false;
    const result = await client.append(folder, copy.message, ['\\Seen'], copy.sentAt);
    if (!result) throw new Error('the connection was lost before the copy was appended');
  }
  // A copy left by an interrupted attempt does not prove that the server files copies itself.
  if (isThere && copy.isBegun) await noteSentCopyError(app.db, accountId, null);
  else await noteServerFiles(app.db, accountId, isThere);
  await forgetCopy(app.db, copy.id);
  return !isThere;
}

async function postpone(app: App, accountId: number, copy: ClaimedCopy, reason: string): Promise<void> {
  const wait = DELAYS[copy.tries - 1];
  const fields = { account: accountId, outbox: copy.id, reason };
  if (wait === undefined) {
    await forgetCopy(app.db, copy.id);
    app.log.error(fields, 'could not save the copy of an answer to the Sent folder; giving up');
  } else {
    await postponeCopy(app.db, copy, new Date(app.clock.now().getTime() + wait));
    app.log.warn(fields, 'could not save the copy of an answer to the Sent folder; will retry');
  }
  await noteSentCopyError(app.db, accountId, reason);
}

import type { ImapFlow, SearchObject } from 'imapflow';
import { openMailbox } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { SECOND } from '../../core/clock.ts';
import { withDeadline } from '../../core/deadline.ts';
import { latestRefusal } from '../../mail/imap-client.ts';
import { keyInMessageId } from '../../mail/message-id.ts';
import { serverWords } from '../../mail/server-words.ts';

/** Milliseconds for the search of one Sent folder, because other accounts wait for theirs. */
const MAX_SEARCH_TIME = 30 * SECOND;

/**
 * Searches the account's Sent folder for emails, and returns the Message-IDs of those found. Google, Microsoft and most others file
 * emails submitted over SMTP there. A missing email proves nothing, because not every provider files copies. If the folder is unreachable,
 * the error is logged, not thrown.
 * @param stopping aborted when the daemon stops
 */
export async function foundInSentFolder(
  app: App,
  accountId: number,
  messageIds: readonly string[],
  stopping?: AbortSignal,
): Promise<Set<string>> {
  const found = new Set<string>();
  if (messageIds.length === 0) return found;
  try {
    await withDeadline({ within: MAX_SEARCH_TIME, stopping }, async (deadline) => {
      const client = await openMailbox(app, accountId, { deadline });
      if (client === null) return;
      try {
        const sent = await sentFolderOf(client);
        if (sent === undefined) return;
        await client.mailboxOpen(sent, { readOnly: true });
        for (const id of messageIds) if (await containsEmail(client, id)) found.add(id);
      } finally {
        await client.logout().catch(() => client.close());
      }
    });
  } catch (error) {
    app.log.warn({ account: accountId, reason: serverWords(error) }, 'the Sent folder could not be read');
  }
  return found;
}

/** Returns the path of the folder for sent messages: the one marked by the server (`\Sent`, RFC 6154 §2), else one with a usual name. */
export async function sentFolderOf(client: ImapFlow): Promise<string | undefined> {
  return (await client.list()).find(({ specialUse, flags }) => specialUse === '\\Sent' && !flags.has('\\Noselect'))?.path;
}

/** Resolves to true if the open folder contains one of our emails. Throws like `uidOfEmail`. */
export const containsEmail = async (client: ImapFlow, messageId: string): Promise<boolean> =>
  (await uidOfEmail(client, messageId)) !== undefined;

/**
 * Searches the open folder for one of our emails, by Message-ID and, because some providers replace that, by X-Entity-Ref-ID. Throws if the
 * server refuses the search or does not respond.
 */
export async function uidOfEmail(client: ImapFlow, messageId: string): Promise<number | undefined> {
  return (await uidWith(client, { 'message-id': messageId })) ?? uidWith(client, { 'x-entity-ref-id': keyInMessageId(messageId) });
}

const uidWith = async (client: ImapFlow, header: Record<string, string>): Promise<number | undefined> =>
  (await uidsWith(client, { header }))[0];

/** Searches the open folder. Throws if the server refuses the search or does not respond. */
export async function uidsWith(client: ImapFlow, query: SearchObject): Promise<number[]> {
  const uids = await client.search(query, { uid: true });
  // ImapFlow returns no list after a refusal or a lost connection, which must not pass for an empty result.
  if (!uids)
    throw new Error(
      `SEARCH in ${client.mailbox ? client.mailbox.path : 'a folder'}: ${client.usable ? serverWords(latestRefusal(client)) : 'the connection was lost'}`,
    );
  return uids;
}

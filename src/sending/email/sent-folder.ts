import type { ImapFlow } from 'imapflow';
import { openMailbox } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { messageOf } from '../../core/errors.ts';

/**
 * Searches the account's Sent folder (special use \\Sent, RFC 6154 §2) for emails by Message-ID and by X-Outreach-Ref, since
 * some providers replace the Message-ID, and returns the Message-IDs of those found. Google, Microsoft and most others file emails
 * submitted over SMTP there. A missing one proves nothing, because not every provider
 * files copies. An unreachable folder is logged, not thrown.
 */
export async function foundInSentFolder(app: App, accountId: number, messageIds: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  if (messageIds.length === 0) return found;
  try {
    const client = await openMailbox(app, accountId);
    if (client === null) return found;
    try {
      const sent = (await client.list()).find((folder) => folder.specialUse === '\\Sent');
      if (sent === undefined) return found;
      await client.mailboxOpen(sent.path, { readOnly: true });
      for (const id of messageIds) {
        if ((await holds(client, { 'message-id': id })) || (await holds(client, { 'x-outreach-ref': referenceOf(id) }))) found.add(id);
      }
    } finally {
      await client.logout().catch(() => client.close());
    }
  } catch (error) {
    app.log.warn({ account: accountId, reason: messageOf(error) }, 'the Sent folder could not be read');
  }
  return found;
}

async function holds(client: ImapFlow, header: Record<string, string>): Promise<boolean> {
  const uids = await client.search({ header }, { uid: true });
  return uids !== false && uids !== undefined && uids.length > 0;
}

/** X-Outreach-Ref is the local part of our Message-ID. */
const referenceOf = (messageId: string): string => messageId.slice(1, messageId.lastIndexOf('@'));

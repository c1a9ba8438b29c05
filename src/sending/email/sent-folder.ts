import { openMailbox } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { messageOf } from '../../core/errors.ts';

/**
 * Searches the account's Sent folder (special use \\Sent, RFC 6154 §2) for Message-IDs and returns those found. Google,
 * Microsoft and most others file emails submitted over SMTP there. A missing one proves nothing, because not every provider
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
        const uids = await client.search({ header: { 'message-id': id } }, { uid: true });
        if (uids !== false && uids !== undefined && uids.length > 0) found.add(id);
      }
    } finally {
      await client.logout().catch(() => client.close());
    }
  } catch (error) {
    app.log.warn({ account: accountId, reason: messageOf(error) }, 'the Sent folder could not be read');
  }
  return found;
}

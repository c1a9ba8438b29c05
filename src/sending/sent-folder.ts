import { openMailbox } from '../accounts/index.ts';
import type { App } from '../app.ts';
import { messageOf } from '../errors.ts';

/** What the Sent folder says of a mail: it is there, it is not, or the folder can't be asked. */
export type SentFolderAnswer = 'found' | 'absent' | 'unanswered';

/**
 * Looks mails up by Message-ID in the account's Sent folder (special use \Sent, RFC 6154 §2), where Google, Microsoft
 * and most others file what is submitted over SMTP. `absent` proves nothing by itself: not every provider files it.
 */
export async function askSentFolder(app: App, accountId: number, messageIds: readonly string[]): Promise<Map<string, SentFolderAnswer>> {
  const answers = new Map<string, SentFolderAnswer>(messageIds.map((id) => [id, 'unanswered']));
  try {
    const client = await openMailbox(app, accountId);
    if (client === null) return answers;
    try {
      const sent = (await client.list()).find((folder) => folder.specialUse === '\\Sent');
      if (sent === undefined) return answers;
      await client.mailboxOpen(sent.path, { readOnly: true });
      for (const id of messageIds) {
        const found = await client.search({ header: { 'message-id': id } }, { uid: true });
        if (found !== false) answers.set(id, found !== undefined && found.length > 0 ? 'found' : 'absent');
      }
    } finally {
      await client.logout().catch(() => client.close());
    }
  } catch (error) {
    app.log.warn({ account: accountId, reason: messageOf(error) }, 'the Sent folder could not be asked');
  }
  return answers;
}

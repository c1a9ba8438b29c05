import type { App } from '../../app.ts';
import { composeWithFiles, type Message } from '../../mail/attached-message.ts';
import { composeMessage, type Draft } from '../../mail/compose.ts';
import { signMessage } from '../../mail/sign.ts';
import type { AttachedFile } from '../../uploads/attachments.ts';
import { readFile } from '../../uploads/files.ts';
import type { SendingAccount } from '../state/account-state.ts';

/** Composes an email with its files and signs it with the account's DKIM keys. Throws `UnsafeHeaderError`. */
export async function writeMessage(app: App, account: SendingAccount, draft: Draft, files: readonly AttachedFile[]): Promise<Message> {
  if (files.length > 0) return writeAttached(app, account, draft, files);
  const message = composeMessage(draft);
  return account.dkim.length === 0 ? message : signMessage(message, account.dkim, draft.date);
}

/** Composes a message with files. They are read from the database when the message is signed, and again when it is sent. */
async function writeAttached(app: App, account: SendingAccount, draft: Draft, files: readonly AttachedFile[]): Promise<Message> {
  const contents = files.map(({ file_id, name, size }) => ({ name, size, read: () => readFile(app.db, file_id) }));
  const message = composeWithFiles(draft, contents);
  if (account.dkim.length === 0) return message;
  const start = await signMessage(message.start, account.dkim, draft.date, message.rest());
  return { ...message, start, length: message.length + start.length - message.start.length };
}

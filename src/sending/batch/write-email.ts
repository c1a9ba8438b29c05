import type { App } from '../../app.ts';
import type { Message } from '../../mail/attached-message.ts';
import type { Draft } from '../../mail/compose.ts';
import { conversationKeyIn, keyInMessageId } from '../../mail/message-id.ts';
import { threadIndex } from '../../mail/thread-index.ts';
import type { Thread } from '../../outbox/index.ts';
import type { AttachedFile } from '../../uploads/attachments.ts';
import type { SendingAccount } from '../state/account-state.ts';
import { writeMessage } from './write-message.ts';

/** A rendered email and the data for its header. */
export interface EmailParts {
  to: { name: string; address: string };
  /** Addresses that get a visible copy. */
  cc?: readonly string[] | undefined;
  replyTo: string | null;
  subject: string;
  html: string;
  /** The same without tracked links, for the text part. */
  textHtml: string;
  messageId: string;
  thread: Thread | undefined;
  /** Start of the thread, for Outlook's Thread-Index. */
  startedAt: Date;
  listId: string | null;
  /** Attached files. */
  attachments: readonly AttachedFile[];
  /** Headers that tracking adds. */
  headers: Readonly<Record<string, string>>;
}

/** Composes an email and signs it with the account's DKIM keys. Throws `UnsafeHeaderError`. */
export async function writeEmail(app: App, account: SendingAccount, email: EmailParts): Promise<Message> {
  const date = app.clock.now();
  const { messageId, subject, startedAt, thread } = email;
  const reference = keyInMessageId(messageId);
  const draft: Draft = {
    from: { name: account.fromName, address: account.email },
    to: email.to,
    ...(email.cc === undefined ? {} : { cc: email.cc }),
    replyTo: email.replyTo,
    subject,
    html: email.html,
    textHtml: email.textHtml,
    messageId,
    reference,
    inReplyTo: thread?.inReplyTo ?? null,
    references: thread?.references ?? [],
    date,
    timezone: account.timezone,
    headers: { ...email.headers, ...threadHeaders(reference, subject, startedAt, thread, date), ...listId(email) },
  };
  return writeMessage(app, account, draft, email.attachments);
}

/** Outlook groups conversations by these headers. Exchange's out-of-office messages carry them, but rarely In-Reply-To. */
export const threadHeaders = (reference: string, subject: string, start: Date, thread: Thread | undefined, date: Date) => ({
  'Thread-Topic': thread?.subject ?? subject,
  'Thread-Index': threadIndex(
    conversationKeyIn(thread === undefined ? reference : keyInMessageId(thread.firstMessageId)),
    start,
    thread === undefined ? null : date,
  ),
});

/** RFC 2919 §3. */
const listId = ({ listId: id }: EmailParts): Record<string, string> => (id === null ? {} : { 'List-Id': `<${id}>` });

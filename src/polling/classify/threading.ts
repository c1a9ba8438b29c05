import { field, type Mail } from './message.ts';

const MESSAGE_ID = /<[^<>\s]{1,500}>/g;

/** The message's own id, with angle brackets, or null. */
export const messageIdOf = (mail: Mail): string | null => field(mail, 'message-id').match(MESSAGE_ID)?.[0] ?? null;

/** The ids that a message answers: In-Reply-To, then References, nearest first (RFC 5322 §3.6.4). */
export const answersOf = (mail: Mail): string[] => [
  ...(field(mail, 'in-reply-to').match(MESSAGE_ID) ?? []),
  ...(field(mail, 'references').match(MESSAGE_ID) ?? []).reverse(),
];

const RETURNED_ID = /^(?:x-microsoft-original-)?message-id:\s*(<[^<>\s]{1,500}>)/gim;
const OWN_MARK = /^x-outreach-ref:\s*([a-z2-7]{26})/gim;

/** Message-IDs, and our own marks, in the headers of what a message returns, in parts or in its text. */
export function returnedIds(mail: Mail): { messageIds: string[]; marks: string[] } {
  const text = [...mail.parts.map((part) => part.text), mail.text].join('\n');
  return {
    messageIds: [...text.matchAll(RETURNED_ID)].map((match) => match[1] ?? ''),
    marks: [...text.matchAll(OWN_MARK)].map((match) => match[1] ?? ''),
  };
}

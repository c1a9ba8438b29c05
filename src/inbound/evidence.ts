import type { WhenColleagueReplies } from '../campaigns/index.ts';
import { DAY, HOUR } from '../core/clock.ts';
import { isOneMailbox } from '../core/email-address.ts';
import { type Classification, type InboundHead, threadSubject, type Verdict } from '../mail/classify/index.ts';
import { emailIdIn, emailKeyIn, isCopyKey, keyInMessageId } from '../mail/message-id.ts';
import { referencesInThreadIndex } from '../mail/thread-index.ts';

/**
 * Proofs that a message is about one of our emails, strongest first. `token`: it was sent to the address in List-Unsubscribe with the
 * email's token. `id`: it references our Message-ID or the provider's. `ref`: it returns our X-Entity-Ref-ID. `thread`: its Thread-Index
 * belongs to our conversation. `returned`: it returns our whole header. `sender`: the emailed address writes in the thread. `recipient`: a
 * bounce names only the recipient.
 */
export const PROOFS = ['token', 'id', 'ref', 'thread', 'returned', 'sender', 'recipient'] as const;
export type Proof = (typeof PROOFS)[number];

/** One of our emails that a message may be about. */
export interface Candidate {
  outboxId: number;
  enrolmentId: number;
  workspaceId: number;
  campaignId: number;
  contactId: number;
  contactName: string;
  /** The contact's current address; `recipient` is the address that was emailed. */
  contactEmail: string;
  recipient: string;
  /** Addresses that got a copy. */
  copies: string[];
  /** True for an answer to a reply, false for a step of the sequence. */
  isAnswer: boolean;
  /** The address to which the sequence is sent. For an answer to a colleague it differs from `recipient`. */
  writtenTo: string;
  /** The account that sent it, and its address. */
  senderId: number;
  senderEmail: string;
  /** The campaign's reply address, if it differs from the sender's. */
  replyTo: string | null;
  /** True if replies and bounces of the campaign are recorded as events, because its reply address is a connected account. */
  isTracked: boolean;
  /** True if the message arrived where replies to this email are expected: in the mailbox of its reply address or of the sender. */
  isExpectedHere: boolean;
  /**
   * True if the message's text may be shown with the campaign: it is expected here, or the campaign's creator may see this mailbox's
   * account.
   */
  isQuotable: boolean;
  isAccepted: boolean;
  step: number;
  /** The last step sent to the contact; 1 before the first. */
  lastStep: number;
  subject: string | null;
  timezone: string;
  /** Decides if an ordinary reply from a colleague ends the sequence. */
  whenColleagueReplies: WhenColleagueReplies;
  messageId: string;
  providerMessageId: string | null;
  sentAt: Date;
}

export interface Evidence {
  email: Candidate;
  proof: Proof;
  /** The key of a copy, if the message references a copy instead of the email itself. */
  copyKey: string | null;
}

/** Number of days after an email during which its sender and subject identify a reply. */
const DAYS_BY_SENDER = 60;
/** Out-of-office messages come immediately, and rarely with a subject that identifies the email. */
const DAYS_OF_NOTICE = 3;
/** Number of days after an email during which the recipient alone identifies a bounce. */
const DAYS_BY_RECIPIENT = 7;
/** A returned Date header is the time of the attempt; clocks and queues differ by less than this. */
const DATE_TOLERANCE = HOUR;

/** Verdicts on messages that servers write about an email. */
const ABOUT_DELIVERY: readonly Verdict[] = ['hard_bounce', 'soft_bounce', 'delay', 'feedback_report'];
export const isAboutDelivery = (verdict: Verdict): boolean => ABOUT_DELIVERY.includes(verdict);

/** A message and the emails that it may be about, newest first. */
interface Search {
  mail: InboundHead;
  result: Classification;
  emails: readonly Candidate[];
  /** Emails whose replies and bounces are expected in the mailbox. Proofs that anybody can forge only find these. */
  expected: readonly Candidate[];
  now: Date;
}

type Finder = (search: Search) => Candidate | undefined;
const ofDelivery =
  (find: Finder): Finder =>
  (search) =>
    isAboutDelivery(search.result.verdict) ? find(search) : undefined;
const ofAuthors =
  (find: Finder): Finder =>
  (search) =>
    isAboutDelivery(search.result.verdict) ? undefined : find(search);

/** Finds the email by each proof (docs/what-a-message-proves.md, Proofs). */
const FINDERS: Record<Proof, Finder> = {
  token: ({ result: { token }, emails }) => emails.find((email) => token !== null && emailKeyIn(token) === refOf(email)),
  id: ({ result, emails }) => emails.find((email) => namesId(result, email)),
  ref: ({ result, emails }) => emails.find((email) => namesRef(result, email)),
  thread: ofAuthors(lastOfThread),
  returned: ofDelivery(({ result, expected }) => expected.find((email) => showsHeader(result, email))),
  sender: ofAuthors(writtenInThread),
  recipient: ofDelivery(onlyNamedRecipient),
};

/** Returns the email that a message is about, by the strongest proof among the candidates; null without a proof. Does no I/O. */
export function strongestEvidence(mail: InboundHead, result: Classification, candidates: readonly Candidate[], now: Date): Evidence | null {
  const emails = candidates.toSorted((a, b) => b.sentAt.getTime() - a.sentAt.getTime() || b.outboxId - a.outboxId);
  const search = { mail, result, emails, expected: emails.filter(({ isExpectedHere }) => isExpectedHere), now };
  for (const proof of PROOFS) {
    const email = FINDERS[proof](search);
    if (email !== undefined) return { email, proof, copyKey: copyKeyIn(result, proof, email) };
  }
  return null;
}

const isYoungerThan = (email: Candidate, days: number, now: Date) => now.getTime() - email.sentAt.getTime() < days * DAY;

/** Returns our Message-ID of the email, and the provider's. */
const idsOf = ({ messageId, providerMessageId }: Candidate): (string | null)[] => [messageId, providerMessageId];
const namesId = ({ originalMessageIds }: Classification, email: Candidate) =>
  originalMessageIds.some((id) => idsOf(email).includes(emailIdIn(id)));

/** X-Entity-Ref-ID and the token in List-Unsubscribe are the local part of our Message-ID. */
const refOf = ({ messageId }: Candidate) => keyInMessageId(messageId);
const namesRef = ({ references }: Classification, email: Candidate) => references.map(emailKeyIn).includes(refOf(email));

/** Returns the key of the copy that is referenced first, unless the email itself is referenced before it. */
function copyKeyIn({ token, originalMessageIds, references }: Classification, proof: Proof, email: Candidate): string | null {
  const ids = originalMessageIds.filter((id) => idsOf(email).includes(emailIdIn(id)));
  const refs = references.filter((key) => emailKeyIn(key) === refOf(email));
  const [first] = proof === 'token' ? [token] : proof === 'id' ? ids.map(keyInMessageId) : proof === 'ref' ? refs : [];
  return first != null && isCopyKey(first) ? first : null;
}

/** Returns X-Entity-Ref-IDs, one of which may belong to the conversation's first email. */
export const threadRefs = ({ threadIndexes }: Classification): string[] => threadIndexes.flatMap(referencesInThreadIndex);

/** Returns the latest email of a conversation. A Thread-Index only identifies the first, and the message is probably about the latest. */
function lastOfThread({ result, emails }: Search): Candidate | undefined {
  const refs = threadRefs(result);
  const first = emails.find((email) => refs.includes(refOf(email)));
  return first && emails.find(({ enrolmentId, senderId }) => enrolmentId === first.enrolmentId && senderId === first.senderId);
}

function showsHeader({ returnedHeader: header }: Classification, email: Candidate): boolean {
  if (header === null || email.subject === null) return false;
  const isFromUs = isOneMailbox(header.from, email.senderEmail) && isOneMailbox(header.to, email.recipient);
  const isSameSubject = threadSubject(header.subject) === threadSubject(email.subject);
  return isFromUs && isSameSubject && Math.abs(header.date.getTime() - email.sentAt.getTime()) <= DATE_TOLERANCE;
}

/** Returns the only recent email to the named recipient. The proof is weak, so it returns undefined if two emails match. */
function onlyNamedRecipient({ result: { recipient }, expected, now }: Search): Candidate | undefined {
  const named = expected.filter(
    (email) =>
      recipient !== null && email.isAccepted && isOneMailbox(email.recipient, recipient) && isYoungerThan(email, DAYS_BY_RECIPIENT, now),
  );
  return named.length === 1 ? named[0] : undefined;
}

function writtenInThread({ mail, result: { verdict }, expected, now }: Search): Candidate | undefined {
  const sender = mail.from?.address;
  if (sender === undefined || verdict === 'other') return undefined;
  const written = expected.filter(
    (email) => email.isAccepted && isOneMailbox(email.recipient, sender) && isYoungerThan(email, DAYS_BY_SENDER, now),
  );
  const thread = threadSubject(mail.subject);
  const subjectOf = ({ subject }: Candidate) => threadSubject(subject ?? '');
  const inThread = written.find((email) => thread !== '' && subjectOf(email) === thread);
  if (inThread !== undefined) return inThread;
  // A request to the address in List-Unsubscribe has a subject of its own.
  if (verdict === 'unsubscribe_request') return written[0];
  if (verdict !== 'auto_reply') return undefined;
  const quoted = written.find((email) => subjectOf(email) !== '' && thread.includes(subjectOf(email)));
  return quoted ?? written.find((email) => isYoungerThan(email, DAYS_OF_NOTICE, now));
}

/**
 * Returns the Message-ID that the provider assigned to an email in place of ours: the one that the contact's reply in the thread refers to,
 * or that a server returns together with our X-Entity-Ref-ID. Null if the message does not show it.
 */
export function providerIdIn({ verdict, originalMessageIds }: Classification, { proof }: Evidence, writer: string): string | null {
  if (writer === 'copied') return null;
  const isReply = (proof === 'sender' || proof === 'thread') && verdict === 'reply' && writer === 'contact';
  const isReturned = proof === 'ref' || proof === 'returned';
  return isReply || isReturned ? (originalMessageIds[0] ?? null) : null;
}

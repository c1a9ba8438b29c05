import { isPublicDomain } from '../contacts/index.ts';
import { addressKey, domainOf, isEmailAddress, isOneMailbox } from '../core/email-address.ts';
import type { Classification, InboundHead, Verdict } from '../mail/classify/index.ts';
import { isCopyFor } from '../mail/message-id.ts';
import type { Sealer } from '../secrets/seal.ts';
import { type Candidate, type Evidence, isAboutDelivery } from './evidence.ts';
import { sameAs } from './same-person.ts';

/**
 * The writer of a message: the contact, a colleague in the contact's organisation, an unknown third party (`stranger`), somebody who got a
 * copy of the email (or a server reporting about that copy), our own side (which never speaks for a contact), or a program.
 */
export const WRITERS = ['contact', 'colleague', 'stranger', 'copied', 'us', 'machine'] as const;
export type Writer = (typeof WRITERS)[number];

/** The writer of a message, and the reason for that conclusion. */
export interface Recognised {
  writer: Writer;
  /** The reason, in words for users. */
  because: string;
  /** The address of the copy that the message is about; null if it is not about a copy, or the copy is unknown. */
  copy: string | null;
  /** The address of the person on the other side who wrote it; null for programs, our own side and an invalid address. */
  sender: string | null;
}

/** Tells if a message comes from the address of an account or member of the workspace. */
export interface Own {
  isAccount: boolean;
  isMember: boolean;
}

/** Returns the contact's addresses: the one that the sequence was sent to, and the current one. */
const addressesOf = ({ writtenTo, contactEmail }: Candidate): string[] => [writtenTo, contactEmail];

/** Recognises the writer of a message about an email, without I/O (docs/what-a-message-proves.md, "Writers"). */
export function recognise(sealer: Sealer, mail: InboundHead, result: Classification, evidence: Evidence, own: Own): Recognised {
  const { email } = evidence;
  const recognised = writerOf(mail, result.verdict, evidence, own);
  const sender = senderOf(mail, result.verdict, email, own);
  const copied = recognised.writer === 'us' ? null : copiedTo(sealer, mail, result, evidence);
  return copied === null ? { ...recognised, copy: null, sender } : { writer: 'copied', ...copied, sender };
}

/** Returns the address of the person on the other side who wrote a message; null for programs, our own side and an invalid address. */
export function senderOf(mail: Pick<InboundHead, 'from'>, verdict: Verdict, email: Candidate, own: Own): string | null {
  const address = mail.from?.address ?? '';
  return isAboutDelivery(verdict) || verdict === 'other' || !isEmailAddress(address) || isOwnSide(address, email, own) ? null : address;
}

/**
 * Returns the copy of the email to which a message responds, whoever wrote it: messages about a copy say nothing about the contact
 * (docs/what-a-message-proves.md, Writers). Null if the message is about the email itself.
 */
function copiedTo(
  sealer: Sealer,
  mail: InboundHead,
  result: Classification,
  { email, copyKey, proof }: Evidence,
): Pick<Recognised, 'copy' | 'because'> | null {
  const isReport = isAboutDelivery(result.verdict);
  const address = (isReport ? result.recipient : mail.from?.address) ?? '';
  const isContact = [email.recipient, ...addressesOf(email)].some((own) => isOneMailbox(own, address));
  if (copyKey !== null && (isReport || proof === 'token' || !isContact)) {
    const copy = email.copies.find((one) => isCopyFor(sealer, copyKey, one)) ?? null;
    return { copy, because: 'it answers a copy of the email' };
  }
  const copy = isContact ? undefined : email.copies.find((one) => isOneMailbox(one, address));
  if (copy !== undefined) return { copy, because: 'the address got a copy of the email' };
  if (!ABOUT_A_RECIPIENT.includes(result.verdict) || result.isRecipientNamed || email.copies.length === 0 || proof === 'recipient')
    return null;
  return { copy: null, because: 'the report names nobody, and others got copies of the email' };
}

/** Verdicts on reports about the delivery to one of the recipients. */
const ABOUT_A_RECIPIENT: readonly Verdict[] = ['hard_bounce', 'soft_bounce', 'delay'];

/** Returns true for our side of the conversation, except for the emailed address itself, because users try campaigns on themselves. */
function isOwnSide(address: string, email: Candidate, own: Own): boolean {
  if (own.isAccount) return true;
  if (addressesOf(email).some((one) => isOneMailbox(one, address))) return false;
  const domain = domainOf(address);
  const isOurDomain = domain === domainOf(email.senderEmail) && !isPublicDomain(domain);
  return own.isMember || isOurDomain || isOneMailbox(address, email.replyTo ?? '');
}

/** Returns why an address is the contact's; null if it is not. The text omits the address, because an erasure would have to find it. */
function becauseOfAddress(address: string, { writtenTo, contactEmail }: Candidate): string | null {
  const key = addressKey(address);
  if (key === addressKey(writtenTo)) return 'it comes from the address that was emailed';
  if (key === addressKey(contactEmail)) return "it comes from the contact's current address";
  const isTheirs = [writtenTo, contactEmail].some((one) => isOneMailbox(one, address));
  return isTheirs ? 'it comes from the mailbox that was emailed, with or without a tag or dots in the address' : null;
}

/**
 * Returns the writer of a message, apart from copies. A sender who knows the token of an email speaks for the contact, as with the
 * unsubscribe link: people opt out from other addresses, and providers do it for them.
 */
function writerOf(mail: InboundHead, verdict: Verdict, { email, proof }: Evidence, own: Own): Pick<Recognised, 'writer' | 'because'> {
  if (proof === 'token') return { writer: 'contact', because: 'it was sent to the address in List-Unsubscribe of the email' };
  if (isAboutDelivery(verdict)) return { writer: 'machine', because: 'it is a report about the delivery' };
  const address = mail.from?.address ?? '';
  if (isOwnSide(address, email, own)) return { writer: 'us', because: 'the address is one of ours' };
  if (verdict === 'other') return { writer: 'machine', because: 'a program sent it' };
  const ownAddress = becauseOfAddress(address, email);
  if (ownAddress !== null) return { writer: 'contact', because: ownAddress };
  const domain = domainOf(address);
  const mailed = addressesOf(email).filter((one) => domainOf(one) === domain);
  if (mailed.length === 0 || isPublicDomain(domain))
    return { writer: 'stranger', because: 'the address is unknown, but the message answers the email' };
  const author = { name: mail.from?.name ?? '', address };
  const because = mailed.map((one) => sameAs(author, { name: email.contactName, address: one })).find((reason) => reason !== null);
  return because == null ? { writer: 'colleague', because: 'another name in the same domain' } : { writer: 'contact', because };
}

import { isPublicDomain } from '../contacts/index.ts';
import { addressKey, domainOf, isEmailAddress, isOneMailbox } from '../core/email-address.ts';
import type { Classification, InboundHead, Verdict } from '../mail/classify/index.ts';
import { isCopyFor } from '../mail/message-id.ts';
import type { Sealer } from '../secrets/seal.ts';
import { type Candidate, type Evidence, isAboutDelivery } from './evidence.ts';
import { sameAs } from './same-person.ts';

/**
 * Who wrote a message: the person emailed, somebody else of their organisation, a third whom nobody knows, somebody who got a copy of
 * the email (or a server, about that copy), our own side (which never speaks for a contact), or a program.
 */
export const WRITERS = ['contact', 'colleague', 'stranger', 'copied', 'us', 'machine'] as const;
export type Writer = (typeof WRITERS)[number];

/** Who wrote a message, and why they are taken for that. */
export interface Recognised {
  writer: Writer;
  /** In words for a person. */
  because: string;
  /** The address of the copy that the message is about; null where it is about none. */
  copy: string | null;
  /** The address of a person of the other side who wrote it; null for programs, our own side, and an address that can't be emailed. */
  sender: string | null;
}

/** An account or a member of the workspace has the address that a message comes from. */
export interface Own {
  isAccount: boolean;
  isMember: boolean;
}

/** The addresses of the contact: the one that the sequence wrote to, and the present one. */
const addressesOf = ({ writtenTo, contactEmail }: Candidate): string[] => [writtenTo, contactEmail];

/** Recognises the writer of a message about an email. Pure: docs/what-a-message-proves.md, "Writers". */
export function recognise(sealer: Sealer, mail: InboundHead, result: Classification, evidence: Evidence, own: Own): Recognised {
  const { email } = evidence;
  const recognised = writerOf(mail, result.verdict, evidence, own);
  const sender = senderOf(mail, result.verdict, email, own);
  const copied = recognised.writer === 'us' ? null : copiedTo(sealer, mail, result, evidence);
  return copied === null ? { ...recognised, copy: null, sender } : { writer: 'copied', ...copied, sender };
}

/** The address of a person of the other side who wrote a message: null for programs, our own side, and what is no address. */
export function senderOf(mail: Pick<InboundHead, 'from'>, verdict: Verdict, email: Candidate, own: Own): string | null {
  const address = mail.from?.address ?? '';
  return isAboutDelivery(verdict) || verdict === 'other' || !isEmailAddress(address) || isOwnSide(address, email, own) ? null : address;
}

/**
 * Whose copy of the email a message comes from or is about, whoever writes it: what comes back from a copy says nothing about the contact
 * (docs/what-a-message-proves.md, Writers). Null where it is about the email itself.
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

/** Verdicts on notices about the delivery to one of the recipients. */
const ABOUT_A_RECIPIENT: readonly Verdict[] = ['hard_bounce', 'soft_bounce', 'delay'];

/** Our side of the conversation, unless it is the very address that was emailed: people try a campaign on themselves. */
function isOwnSide(address: string, email: Candidate, own: Own): boolean {
  if (own.isAccount) return true;
  if (addressesOf(email).some((one) => isOneMailbox(one, address))) return false;
  const domain = domainOf(address);
  const isOurDomain = domain === domainOf(email.senderEmail) && !isPublicDomain(domain);
  return own.isMember || isOurDomain || isOneMailbox(address, email.replyTo ?? '');
}

/** Why an address is the contact's, in words without the address, which an erasure would have to find; null if it is not. */
function becauseOfAddress(address: string, { writtenTo, contactEmail }: Candidate): string | null {
  const key = addressKey(address);
  if (key === addressKey(writtenTo)) return 'it comes from the address that was emailed';
  if (key === addressKey(contactEmail)) return 'it comes from the present address of the contact';
  const isTheirs = [writtenTo, contactEmail].some((one) => isOneMailbox(one, address));
  return isTheirs ? 'it comes from the mailbox that was emailed, with or without a tag or dots in the address' : null;
}

/**
 * Whoever sends the token of an email speaks for the contact, as with the unsubscribe link: people opt out from other addresses, and
 * providers do it for them.
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
    return { writer: 'stranger', because: 'the address is not known, but the message answers the email' };
  const author = { name: mail.from?.name ?? '', address };
  const because = mailed.map((one) => sameAs(author, { name: email.contactName, address: one })).find((reason) => reason !== null);
  return because == null ? { writer: 'colleague', because: 'another name in the same domain' } : { writer: 'contact', because };
}

import { isPublicDomain } from '../contacts/index.ts';
import { domainOf, withAsciiDomain } from '../core/email-address.ts';
import type { Classification, InboundHead, Verdict } from '../mail/classify/index.ts';
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

/** Whether an account or a member of the workspace has the address that a message comes from. */
export interface Own {
  isAccount: boolean;
  isMember: boolean;
}

/** Addresses of one mailbox have the same. */
const mailboxOf = (address: string): string =>
  withAsciiDomain(address)
    .toLowerCase()
    .replace(/\+[^@]*@/, '@');
const same = (a: string, b: string): boolean => mailboxOf(a) === mailboxOf(b);
const domainIn = (address: string): string => domainOf(withAsciiDomain(address));

/** The addresses of the contact: the one that the sequence wrote to, and the present one. */
const addressesOf = ({ writtenTo, contactEmail }: Candidate): string[] => [writtenTo, contactEmail];

/** Recognises the writer of a message about an email. Pure: docs/what-a-message-proves.md, "Writers". */
export function recognise(mail: InboundHead, result: Classification, evidence: Evidence, own: Own): Recognised {
  const recognised = writerOf(mail, result.verdict, evidence, own);
  const copy = recognised.writer === 'us' ? undefined : copiedAddress(mail, result, evidence.email);
  const from = mail.from?.address ?? '';
  const isPerson = from !== '' && !isAboutDelivery(result.verdict) && result.verdict !== 'other' && !isOwnSide(from, evidence.email, own);
  const sender = isPerson ? from : null;
  if (copy === undefined) return { ...recognised, copy: null, sender };
  return { writer: 'copied', because: `${copy} got a copy of the email`, copy, sender };
}

/** Our side of the conversation, unless it is the very address that was emailed: people try a campaign on themselves. */
function isOwnSide(address: string, email: Candidate, own: Own): boolean {
  if (own.isAccount) return true;
  if (addressesOf(email).some((one) => same(one, address))) return false;
  const domain = domainIn(address);
  const isOurDomain = domain === domainIn(email.senderEmail) && !isPublicDomain(domain);
  return own.isMember || isOurDomain || same(address, email.replyTo ?? '');
}

/**
 * Whoever sends the token of an email speaks for the contact, as with the unsubscribe link: people opt out from other addresses, and
 * providers do it for them.
 */
function writerOf(mail: InboundHead, verdict: Verdict, { email, proof }: Evidence, own: Own): Pick<Recognised, 'writer' | 'because'> {
  if (proof === 'token') return { writer: 'contact', because: 'it was sent to the address in List-Unsubscribe of the email' };
  if (isAboutDelivery(verdict)) return { writer: 'machine', because: 'it is a report about the delivery' };
  const address = mail.from?.address ?? '';
  if (isOwnSide(address, email, own)) return { writer: 'us', because: `${address} is of our own side` };
  if (verdict === 'other') return { writer: 'machine', because: 'a program sent it' };
  const known = addressesOf(email).find((one) => same(one, address));
  if (known !== undefined) return { writer: 'contact', because: `${known} is an address of the contact` };
  const domain = domainIn(address);
  const mailed = addressesOf(email).filter((one) => domainIn(one) === domain);
  if (mailed.length === 0 || isPublicDomain(domain))
    return { writer: 'stranger', because: 'nobody knows the address, but it answers the email' };
  const author = { name: mail.from?.name ?? '', address };
  const because = mailed.map((one) => sameAs(author, { name: email.contactName, address: one })).find((reason) => reason !== null);
  return because == null ? { writer: 'colleague', because: `somebody else at ${domain}` } : { writer: 'contact', because };
}

/** The address of a copy that a message comes from, or that a report about delivery names; undefined for any other message. */
function copiedAddress(mail: InboundHead, { verdict, recipient }: Classification, email: Candidate): string | undefined {
  const address = (isAboutDelivery(verdict) ? recipient : mail.from?.address) ?? '';
  return [email.recipient, ...addressesOf(email)].some((own) => same(own, address))
    ? undefined
    : email.copies.find((copy) => same(copy, address));
}

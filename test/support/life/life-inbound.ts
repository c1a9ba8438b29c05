import { DAY, HOUR } from '../../../src/core/clock.ts';
import { domainOf, isOneMailbox, keyOf } from './addresses.ts';
import type { Letter } from './letters.ts';
import { type Account, doneAt, type Email, type Enrolment, type EventType, isLive, type Life } from './life.ts';

/** Inbound messages in the model: docs/what-a-message-proves.md. */

type Proof = 'id' | 'ref' | 'returned' | 'sender' | 'recipient';
type Writer = 'contact' | 'colleague' | 'stranger' | 'copied' | 'us' | 'machine';

export const isReport = (saying: Letter['saying']): boolean => ['hard', 'soft', 'blame', 'complaint', 'delay'].includes(saying);

/** The end of holds that last until a person decides. */
const NO_END = Date.UTC(9999, 11, 31);
const AWAY = 7 * DAY;
const [BOUNCE, STOP, REPLY, REMOVAL] = [1, 2, 3, 4] as const;

/**
 * Applies a letter that arrives in the mailbox of `account`. @param about the email that its author refers to @param from the author's
 * address
 * @returns false if it is about none of our emails, or comes from us
 */
export function arrive(life: Life, account: Account, letter: Letter, about: Email, from: string): boolean {
  const found = match(life, account, letter, about, from);
  if (found === undefined) return false;
  const { email, proof } = found;
  const writer = writerOf(letter, from, email);
  if (writer === 'us') return false;
  if (proof === 'id' || proof === 'ref' || proof === 'returned') email.isProved = true;
  apply(life, letter, writer, from, proof, email);
  return true;
}

/**
 * D2.7: anyone but the contact who answers a copy, received one or reports on one, refers to the copy. D2.3: the contact is recognised by a
 * mailbox of theirs, or at their company by their name or if we know no name; a colleague by the company.
 */
function writerOf({ saying, writer, mark }: Letter, from: string, { recipient, copy, enrolment: { contact } }: Email): Writer {
  if (isReport(saying)) return mark === 'copy' ? 'copied' : 'machine';
  if (writer === 'account' || writer === 'own side') return 'us';
  const own = [recipient, contact.address];
  if (own.some((address) => isOneMailbox(address, from))) return 'contact';
  if (mark === 'copy' || (copy !== null && isOneMailbox(copy.address, from))) return 'copied';
  if (!own.some((address) => domainOf(address) === domainOf(from))) return 'stranger';
  return contact.name === '' || writer === 'namesake' ? 'contact' : 'colleague';
}

/** Finds the email that the letter is considered to be about, by its strongest proof. */
function match(life: Life, account: Account, letter: Letter, about: Email, from: string): { email: Email; proof: Proof } | undefined {
  const ofServer = isReport(letter.saying);
  if (letter.mark === 'id' || letter.mark === 'copy') return { email: about, proof: 'id' };
  if (letter.mark === 'ref' && ofServer) return { email: about, proof: 'ref' };
  if (!ofServer) return written(life, account, letter, about, from);
  return letter.mark === 'returned' ? returned(life, account, about) : byRecipient(life, account, about);
}

/** Replies to an email are expected in the mailbox that sent it and in the one that it named, even if the campaign now names another. */
const isExpected = (life: Life, account: Account, email: Email): boolean =>
  email.account === account || (email.promised ?? life.replyAccount(email.enrolment.campaign, email.account)) === account;

const sentAt = (email: Email): number => email.acceptedAt ?? email.permittedAt;
const newestFirst = (emails: Email[]): Email[] => emails.toSorted((a, b) => sentAt(b) - sentAt(a) || b.id - a.id);

/**
 * Finds the newest email to this address with the subject of the thread, at most 60 days old. A request to be removed and, within three
 * days, an absence notice may have another subject.
 */
function written(life: Life, account: Account, letter: Letter, about: Email, sender: string): { email: Email; proof: Proof } | undefined {
  const { saying } = letter;
  const emails = newestFirst(life.emails).filter(
    (one) => isOneMailbox(one.recipient, sender) && isExpected(life, account, one) && wasAcceptedWithin(life, one, 60 * DAY),
  );
  const isMeant = (one: Email) => saying === 'removal' || (saying === 'away' && wasAcceptedWithin(life, one, 3 * DAY));
  const email = emails.find((one) => one.enrolment.campaign === about.enrolment.campaign) ?? emails.find(isMeant);
  return email && { email, proof: 'sender' };
}

const wasAcceptedWithin = (life: Life, { acceptedAt }: Email, time: number): boolean => acceptedAt !== null && life.now - acceptedAt < time;

/** Matches our complete header: From, To and Subject are those of the email, Date is within an hour of it. */
function returned(life: Life, account: Account, about: Email): { email: Email; proof: Proof } | undefined {
  const [email] = newestFirst(life.emails).filter(
    (one) =>
      one.isRecorded &&
      isOneMailbox(one.recipient, about.recipient) &&
      one.account === about.account &&
      one.enrolment.campaign === about.enrolment.campaign &&
      isExpected(life, account, one) &&
      Math.abs(sentAt(one) - sentAt(about)) <= HOUR &&
      life.now - one.permittedAt < 60 * DAY,
  );
  return email === undefined ? byRecipient(life, account, about) : { email, proof: 'returned' };
}

/** Matches only the recipient, if a single email of the last seven days went there. */
function byRecipient(life: Life, account: Account, about: Email): { email: Email; proof: Proof } | undefined {
  const named = life.emails.filter(
    (one) => isOneMailbox(one.recipient, about.recipient) && isExpected(life, account, one) && wasAcceptedWithin(life, one, 7 * DAY),
  );
  const [email] = named;
  return email === undefined || named.length > 1 ? undefined : { email, proof: 'recipient' };
}

function apply(life: Life, { saying }: Letter, writer: Writer, from: string, proof: Proof, email: Email): void {
  const { enrolment } = email;
  const isFormer = keyOf(email.recipient) !== keyOf(enrolment.contact.address);
  const isWeak = proof === 'recipient';
  if (writer === 'copied') {
    applyToCopy(life, saying, from, email);
    return;
  }
  switch (saying) {
    case 'reply':
    case 'maybe':
    case 'gone':
      if (writer === 'colleague' && saying === 'gone' && !isFormer) life.end(enrolment, 'stopped', STOP);
      // D2.4
      else if (writer !== 'colleague' || enrolment.campaign.whenColleagueReplies === 'stop') reply(life, email);
      endAuthor(life, email, from, false);
      // D2.18
      if (saying === 'maybe') holdPerson(life, enrolment, NO_END);
      return;
    case 'removal':
      // D2.5, D2.6
      remove(life, email, ['replied', 'unsubscribed'], false);
      stopCompany(life, enrolment);
      endAuthor(life, email, from, true);
      return;
    case 'complaint':
      remove(life, email, ['unsubscribed'], isWeak);
      return;
    case 'away':
      if (writer !== 'colleague' && !isFormer) holdPerson(life, enrolment, life.now + AWAY);
      return;
    case 'hard':
      logOnce(life, email, 'bounced');
      if (!isFormer) life.end(enrolment, 'bounced', BOUNCE);
      life.suppress(email.recipient, 'bounced', isWeak, BOUNCE);
      return;
    case 'soft':
    case 'blame':
      comeBack(life, email, saying, isFormer);
      return;
  }
}

/** D2.7: messages about a copy concern only its address and its author. */
function applyToCopy(life: Life, saying: Letter['saying'], from: string, email: Email): void {
  const address = email.copy?.address ?? '';
  if (saying === 'hard') life.suppress(address, 'bounced', false, BOUNCE);
  if (saying === 'complaint' || saying === 'removal') life.suppress(address, 'stopped', false, REMOVAL);
  if (['reply', 'maybe', 'gone', 'removal'].includes(saying)) endAuthor(life, email, from, saying === 'removal');
}

/** D2.11: an absence holds all active enrolments of the person. */
function holdPerson(life: Life, answered: Enrolment, until: number): void {
  const all = life.enrolments.filter((one) => one.contact === answered.contact && (one.status === 'active' || one === answered));
  for (const one of all) if ((one.heldUntil ?? 0) < until) Object.assign(one, { heldUntil: until, awayUntil: until });
}

const isTracked = (life: Life, email: Email): boolean =>
  (email.promised !== null && isLive(email.promised)) || life.isTracked(email.enrolment, email.account);

function log(life: Life, email: Email, type: EventType, enrolment = email.enrolment): void {
  const isMetric = type === 'replied' || type === 'bounced';
  if (!isMetric || isTracked(life, email)) life.log(enrolment, type);
}

function logOnce(life: Life, email: Email, type: EventType): void {
  if (email.logged.has(type)) return;
  if (type !== 'bounced' || isTracked(life, email)) email.logged.add(type);
  log(life, email, type);
}

function reply(life: Life, email: Email): void {
  log(life, email, 'replied');
  life.end(email.enrolment, 'replied', REPLY);
  stopCompany(life, email.enrolment);
}

function stopCompany(life: Life, { campaign, contact }: Enrolment): void {
  if (!campaign.stopsCompany) return;
  for (const one of life.enrolments)
    if (one.campaign === campaign && one.contact !== contact && domainOf(one.contact.address) === domainOf(contact.address))
      life.end(one, 'stopped', STOP);
}

/** D2.5: the author is a contact of the campaign, too. An author who asks to be removed is suppressed, contact or not. */
function endAuthor(life: Life, email: Email, from: string, isRequest: boolean): void {
  const { campaign } = email.enrolment;
  const strength = isRequest ? REMOVAL : REPLY;
  const own = life.enrolments.filter(
    (one) => one.campaign === campaign && one !== email.enrolment && isOneMailbox(one.contact.address, from) && !one.contact.isDeleted,
  );
  for (const one of own) {
    for (const type of isRequest ? (['replied', 'unsubscribed'] as const) : (['replied'] as const)) log(life, email, type, one);
    if (!(isRequest && life.end(one, 'stopped', strength))) life.end(one, 'replied', strength);
  }
  if (isRequest) life.suppress(from, 'stopped', false, REMOVAL);
  for (const one of own) stopCompany(life, one);
}

/** Stops the enrolment and suppresses both addresses. A contact who asks for it in person after the end has replied. */
function remove(life: Life, email: Email, events: readonly EventType[], isWeak: boolean): void {
  const { enrolment } = email;
  for (const type of events) log(life, email, type);
  if (!life.end(enrolment, 'stopped', REMOVAL) && events.includes('replied')) life.end(enrolment, 'replied', REMOVAL);
  for (const address of [email.recipient, enrolment.contact.address]) life.suppress(address, 'stopped', isWeak, REMOVAL);
}

/** Records a temporary return: three consecutive returned emails end the sequence, however many reports each has (D2.13). */
function comeBack(life: Life, email: Email, saying: 'soft' | 'blame', isFormer: boolean): void {
  const { enrolment } = email;
  if (saying === 'blame') logOnce(life, email, 'failed');
  email.isReturned = true;
  if (isFormer || longestRunWith(email) < 3) return;
  if (saying === 'soft') logOnce(life, email, 'bounced');
  if (saying === 'soft') life.end(enrolment, 'bounced', BOUNCE);
  else life.end(enrolment, 'stopped', STOP);
}

/** Counts consecutive returned emails, including this one. */
function longestRunWith(email: Email): number {
  const sent = [...email.enrolment.emails.values()]
    .filter((one) => doneAt(one) !== null || one === email)
    .toSorted((a, b) => sentAt(a) - sentAt(b) || a.id - b.id);
  const runs = sent.map(({ isReturned }) => (isReturned ? '1' : '0')).join('');
  const at = sent.indexOf(email);
  return (/1*$/.exec(runs.slice(0, at))?.[0].length ?? 0) + 1 + (/^1*/.exec(runs.slice(at + 1))?.[0].length ?? 0);
}

import { describe, expect, it } from 'vitest';
import { DAY, MINUTE } from '../../src/core/clock.ts';
import { type Candidate, strongestEvidence } from '../../src/inbound/evidence.ts';
import { recognise } from '../../src/inbound/writer.ts';
import { classifyRaw } from '../../src/mail/classify/index.ts';
import { threadIndex } from '../../src/mail/thread-index.ts';
import { createSealer } from '../../src/secrets/seal.ts';
import { bounce, message, reply } from '../support/inbound-mail.ts';
import type { SentMail } from '../support/polled-mailbox.ts';

/** Proofs and writers, as docs/what-a-message-proves.md lists them. */

const NOW = new Date('2026-07-07T12:00:00Z');
const email = (values: Partial<Candidate> = {}): Candidate => ({
  ...{ outboxId: 1, enrolmentId: 1, workspaceId: 1, campaignId: 1, contactId: 1, contactName: 'Ada Lovelace' },
  ...{
    contactEmail: 'ada@recipient.example',
    recipient: 'ada@recipient.example',
    writtenTo: 'ada@recipient.example',
    copies: [],
    isAnswer: false,
    senderId: 1,
    senderEmail: 'zoe@example.com',
  },
  ...{
    replyTo: null,
    isTracked: true,
    isExpectedHere: true,
    isQuotable: true,
    isAccepted: true,
    step: 1,
    lastStep: 1,
    subject: 'Your roof',
  },
  ...{
    timezone: 'UTC',
    whenColleagueReplies: 'stop',
    messageId: '<mark-1@example.com>',
    providerMessageId: null,
    sentAt: new Date(NOW.getTime() - 60 * MINUTE),
  },
  ...values,
});
const sentMail = ({ messageId, recipient }: Candidate) => ({ messageId, recipient }) as SentMail;

async function proved(raw: string, ...candidates: Candidate[]): Promise<string | null> {
  const { message: mail, result } = await classifyRaw(Buffer.from(raw));
  const evidence = strongestEvidence(mail, result, candidates, NOW);
  return evidence === null ? null : `${evidence.proof} ${evidence.email.outboxId}`;
}

const ours = email();
const header = {
  ...{ From: 'Zoë <zoe@example.com>', To: 'ada@recipient.example', Subject: 'Your roof' },
  Date: 'Tue, 07 Jul 2026 11:00:30 +0000',
};
const returning = (returned: Record<string, string> | null) => bounce(sentMail(ours), { returned });

const TOKEN = 'abcdefghijklmnopqrstuvwx23';
const marked = email({ messageId: `<${TOKEN}@example.com>` });
/** Returns the message that an email client sends to the address in List-Unsubscribe. */
const optOut = (headers: Record<string, string> = {}, token = TOKEN) =>
  message({ From: 'eve@elsewhere.example', Subject: `unsubscribe-${token}`, ...headers }, '');

describe('a proof, the strongest first', () => {
  it('token: sent to the address in List-Unsubscribe with the email’s token, whoever sends it from wherever (U-1)', async () => {
    const other = email({ outboxId: 2, messageId: '<mark-2@example.com>' });
    expect(await proved(optOut(), other, email({ ...marked, isExpectedHere: false }))).toBe('token 1');
    expect(await proved(optOut({ 'In-Reply-To': other.messageId }), other, marked)).toBe('token 1');
    expect(await proved(optOut({ 'Auto-Submitted': 'auto-generated', Subject: `[EXT] UNSUBSCRIBE-${TOKEN}` }), marked)).toBe('token 1');
    expect(await proved(optOut({}, TOKEN.replace('2', '4')), marked)).toBeNull();
    expect(await proved(optOut({}, `${TOKEN}2`), marked)).toBeNull();
    expect(await proved(optOut({ Subject: `Re: unsubscribe-${TOKEN}` }), marked)).toBeNull();
  });

  it('id: In-Reply-To, References or a returned Message-ID names ours or the provider’s', async () => {
    expect(await proved(reply(sentMail(ours)), ours)).toBe('id 1');
    expect(await proved(reply(sentMail(ours), { 'In-Reply-To': '<x@x.example>', References: ours.messageId }), ours)).toBe('id 1');
    expect(await proved(bounce(sentMail(ours)), ours)).toBe('id 1');
    const rewritten = email({ providerMessageId: '<0100@email.amazonses.com>' });
    expect(await proved(reply(sentMail(ours), { 'In-Reply-To': '<0100@email.amazonses.com>' }), rewritten)).toBe('id 1');
  });

  it('ref: the returned header holds our X-Entity-Ref-ID', async () => {
    expect(await proved(returning({ 'Message-ID': '<new@provider.example>', 'X-Entity-Ref-ID': 'mark-1' }), ours)).toBe('ref 1');
  });

  it('thread: Outlook’s Thread-Index is of our conversation; the latest email of it is meant (T-9)', async () => {
    const first = email({ messageId: marked.messageId, subject: 'Your garden', isExpectedHere: false });
    const last = email({ outboxId: 2, messageId: '<mark-2@example.com>', sentAt: new Date(NOW.getTime() - MINUTE) });
    const index = (at: Date | null) => threadIndex(TOKEN, ours.sentAt, at);
    const raw = (headers: Record<string, string>) => message({ From: 'eve@elsewhere.example', Subject: 'Something', ...headers }, 'Yes.');
    expect(await proved(raw({ 'Thread-Index': index(null) }), first, last, email({ outboxId: 3, enrolmentId: 2 }))).toBe('thread 2');
    expect(await proved(raw({ 'Thread-Index': index(NOW) }), first)).toBe('thread 1');
    expect(await proved(raw({ 'Thread-Index': index(NOW), 'In-Reply-To': last.messageId }), first, last)).toBe('id 2');
    expect(await proved(raw({ 'Thread-Index': threadIndex(TOKEN.replace('b', 'c'), ours.sentAt, null) }), first)).toBeNull();
    expect(await proved(raw({ 'Thread-Index': 'AdwAAAA' }), first)).toBeNull();
  });

  it('returned: From, To, Subject and Date of the returned header are those of the email', async () => {
    expect(await proved(returning(header), ours)).toBe('returned 1');
  });

  it.each([
    ['another From', { ...header, From: 'eve@evil.example' }],
    ['another Subject', { ...header, Subject: 'Your garden' }],
    ['a Date of another day', { ...header, Date: 'Mon, 06 Jul 2026 11:00:30 +0000' }],
    ['no Date', { From: header.From, To: header.To, Subject: header.Subject }],
  ])('recipient: a returned header with %s proves no more than the name of the recipient', async (_, returned) => {
    expect(await proved(returning(returned), ours)).toBe('recipient 1');
  });

  it('recipient: only one email can be meant, of the last seven days, expected in this mailbox', async () => {
    expect(await proved(returning(null), ours)).toBe('recipient 1');
    expect(await proved(returning(null), ours, email({ outboxId: 2 }))).toBeNull();
    expect(await proved(returning(null), email({ sentAt: new Date(NOW.getTime() - 8 * DAY) }))).toBeNull();
    expect(await proved(returning(null), email({ isExpectedHere: false }))).toBeNull();
  });

  it('sender: the emailed address writes under the subject of the thread, within 60 days', async () => {
    const raw = message({ From: ours.recipient, Subject: 'Re: Your roof' }, 'Yes.');
    expect(await proved(raw, ours)).toBe('sender 1');
    expect(await proved(raw, email({ subject: 'Your garden' }))).toBeNull();
    expect(await proved(raw, email({ sentAt: new Date(NOW.getTime() - 61 * DAY) }))).toBeNull();
    expect(await proved(raw, email({ isExpectedHere: false }))).toBeNull();
  });

  it('sender: of two threads with one address the one that the subject names, also in an absence notice, before the newest', async () => {
    const newer = email({ outboxId: 2, subject: 'Your garden', sentAt: new Date(ours.sentAt.getTime() + MINUTE) });
    const notice = (subject: string) => message({ From: ours.recipient, Subject: subject, 'Auto-Submitted': 'auto-replied' }, 'I am away.');
    expect(await proved(notice('Automatic reply: Your roof'), ours, newer)).toBe('sender 1');
    expect(await proved(notice('Away'), ours, newer)).toBe('sender 2');
    expect(await proved(notice('Automatic reply: Your roof'), ours, { ...newer, subject: '' })).toBe('sender 1');
    const removal = (subject: string) => message({ From: ours.recipient, Subject: subject }, 'Please remove me from your list.');
    expect(await proved(removal('Re: Your roof'), ours, newer)).toBe('sender 1');
    expect(await proved(removal('unsubscribe'), ours, newer)).toBe('sender 2');
  });
});

describe('the writer', () => {
  const stranger = { isAccount: false, isMember: false };
  async function recognised(raw: string, of: Partial<Candidate> = {}, own = stranger) {
    const { message: mail, result } = await classifyRaw(Buffer.from(raw));
    const evidence = strongestEvidence(mail, result, [email(of)], NOW) ?? { email: email(of), proof: 'id', copyKey: null };
    return recognise(createSealer('k'.repeat(43)), mail, result, evidence, own);
  }
  const writer = async (...of: Parameters<typeof recognised>): Promise<string> => (await recognised(...of)).writer;
  const from = (address: string) => reply(sentMail(ours), { From: address });

  it.each([
    ['the emailed address', 'ada@recipient.example', 'contact'],
    ['the same name in the same domain', 'Ada Lovelace <lovelace@recipient.example>', 'contact'],
    ['another name in the domain', 'Charles <charles@recipient.example>', 'colleague'],
    ['another domain', 'ada@home.example', 'stranger'],
    ['the sender’s domain', 'Xaver <xaver@example.com>', 'us'],
  ])('%s', async (_, address, expected) => expect(await writer(from(address))).toBe(expected));

  it.each<[string, string, Partial<Candidate>, string]>([
    ['the address (D2.1)', 'ADA@recipient.example', {}, 'contact: it comes from the address that was emailed'],
    [
      'the contact’s new address (D2.3)',
      'ada@new.example',
      { contactEmail: 'ada@new.example' },
      "contact: it comes from the contact's current address",
    ],
    [
      'one mailbox (D2.2)',
      'ADA+x@recipient.example',
      {},
      'contact: it comes from the mailbox that was emailed, with or without a tag or dots in the address',
    ],
    ['one name (D2.3)', '"Lovelace, Ada | Acme" <q17@recipient.example>', {}, 'contact: a name in common, and the same domain'],
    ['parts of the name (D2.3)', 'alovelace@recipient.example', {}, "contact: an address made from the contact's name, in the same domain"],
    ['no name (D2.3)', 'eve@recipient.example', { contactName: '' }, 'contact: the contact has no name, and the domain is the same'],
    [
      'a shared mailbox (D2.3)',
      'eve@recipient.example',
      { writtenTo: 'office@recipient.example' },
      'contact: several people read the emailed address',
    ],
    ['a colleague (D2.4)', 'Eve <eve@recipient.example>', {}, 'colleague: another name in the same domain'],
    ['a third (D2.4)', 'Eve <eve@else.example>', {}, 'stranger: the address is unknown, but the message answers the email'],
    ['a copy (D2.7)', 'boss@partner.example', { copies: ['boss@partner.example'] }, 'copied: the address got a copy of the email'],
    ['our own side', 'xaver@example.com', {}, 'us: the address is one of ours'],
  ])('says why, %s: %s', async (_, address, of, expected) => {
    const { writer, because } = await recognised(from(address), of);
    expect(`${writer}: ${because}`).toBe(expected);
  });

  it('an account and a member of the workspace, and the campaign’s reply address, are us', async () => {
    const raw = from('someone@private.example');
    expect(await writer(raw, {}, { isAccount: true, isMember: false })).toBe('us');
    expect(await writer(raw, {}, { isAccount: false, isMember: true })).toBe('us');
    expect(await writer(raw, { replyTo: 'Someone@private.example' })).toBe('us');
  });

  it('the emailed address of a member is the contact; that of an account is us', async () => {
    const own = { recipient: 'me@example.com', writtenTo: 'me@example.com', contactEmail: 'me@example.com' };
    expect(await writer(from('me@example.com'), own, { isAccount: false, isMember: true })).toBe('contact');
    expect(await writer(from('me@example.com'), own, { isAccount: true, isMember: false })).toBe('us');
  });

  it('strangers who share the domain of a mailbox provider are neither colleagues nor our own side', async () => {
    const shared = { recipient: 'ada@gmail.com', writtenTo: 'ada@gmail.com', contactEmail: 'ada@gmail.com', senderEmail: 'zoe@gmail.com' };
    expect(await writer(from('Eve <eve@gmail.com>'), shared)).toBe('stranger');
  });

  it('whoever answers for an address that several people read is the contact', async () => {
    const shared = {
      recipient: 'office@recipient.example',
      writtenTo: 'office@recipient.example',
      contactEmail: 'office@recipient.example',
    };
    expect(await writer(from('Charles <charles@recipient.example>'), shared)).toBe('contact');
  });

  it('the present address of the contact is the contact', async () => {
    expect(await writer(from('ada@new.example'), { contactEmail: 'ada@new.example' })).toBe('contact');
  });

  it('whoever sends the token speaks for the contact: people opt out from another address, or from one of our own side', async () => {
    for (const From of ['eve@elsewhere.example', 'charles@recipient.example', 'xaver@example.com', 'noreply@provider.example'])
      expect(await writer(optOut({ From }), marked, { isAccount: true, isMember: true })).toBe('contact');
  });

  it('a server that reports on delivery is a machine, also one of our own domain', async () => {
    expect(await writer(bounce(sentMail(ours), { headers: { From: 'postmaster@example.com' } }))).toBe('machine');
  });
});

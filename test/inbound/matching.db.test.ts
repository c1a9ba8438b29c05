import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { DAY } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { matchMessage } from '../../src/inbound/match.ts';
import { classifyRaw } from '../../src/mail/classify/index.ts';
import { threadIndex } from '../../src/mail/thread-index.ts';
import { TEST_START, type TestInstallation, testInstallation } from '../support/database.ts';
import { message, reply } from '../support/inbound-mail.ts';
import { type SentMail, type SentOptions, sentMail } from '../support/polled-mailbox.ts';
import { insertAccount, insertCampaign, insertRow } from '../support/rows.ts';

/** Rule: a message is matched to our email by its thread, else by sender and subject within 60 days. */

let installation: TestInstallation;
let app: App;
let zoe: number;
let made = 0;

beforeAll(async () => {
  installation = await testInstallation();
  app = installation.app;
  zoe = await insertAccount(app, { email: 'zoe@example.com', imap: '{}' });
});
beforeEach(() => installation.clock.set(TEST_START));

const sent = (options: SentOptions = {}) => sentMail(installation, zoe, options);
const ago = (days: number) => new Date(installation.clock.now().getTime() - days * DAY);

/** Returns the enrolment that a message is matched to, with the proof and the writer. */
async function matched(raw: string): Promise<[enrolmentId: number, proofAndWriter: string] | null> {
  const { message: mail, result } = await classifyRaw(Buffer.from(raw));
  const match = await matchMessage(app, zoe, mail, result, installation.clock.now());
  return match === null ? null : [match.email.enrolmentId, `${match.proof} ${match.writer}`];
}
/** Returns a message from the contact without thread headers. */
const unthreaded = (mail: SentMail, subject: string) =>
  message({ From: `Ada Lovelace <${mail.recipient}>`, Subject: subject, 'In-Reply-To': '<elsewhere@x.example>' }, 'Yes.');

describe('the thread comes first', () => {
  it('In-Reply-To with our Message-ID, whoever of another house wrote it and under whatever subject', async () => {
    const mail = await sent();
    expect(await matched(reply(mail))).toEqual([mail.enrolmentId, 'id contact']);
    expect(await matched(reply(mail, { From: 'ada@home.example', Subject: 'Something else' }))).toEqual([mail.enrolmentId, 'id stranger']);
  });

  it('References alone, also with others before and after ours', async () => {
    const mail = await sent();
    const ids = `<first@x.example>\r\n ${mail.messageId}\r\n <last@x.example>`;
    expect(await matched(reply(mail, { 'In-Reply-To': '<last@x.example>', References: ids }))).toEqual([mail.enrolmentId, 'id contact']);
  });

  it('before sender and subject: a contact in two campaigns is matched to the one they answer', async () => {
    const older = await sent({ subject: 'One', at: ago(3) });
    const newer = await sent({ subject: 'Two', contactId: older.contactId, recipient: older.recipient });
    expect(await matched(reply(older, { Subject: 'Re: Two' }))).toEqual([older.enrolmentId, 'id contact']);
    expect(await matched(reply(newer, { Subject: 'Re: One' }))).toEqual([newer.enrolmentId, 'id contact']);
  });

  it('however old our mail is', async () => {
    const mail = await sent({ at: ago(300) });
    expect(await matched(reply(mail))).toEqual([mail.enrolmentId, 'id contact']);
  });

  it('an id that is only like ours is nobody’s', async () => {
    const mail = await sent();
    const forged = mail.messageId.replace('mail-', 'nail-');
    expect(await matched(reply(mail, { From: 'eve@evil.example', 'In-Reply-To': forged, Subject: 'Re: Hello' }))).toBeNull();
  });
});

describe('the token in the subject of List-Unsubscribe (U-1)', () => {
  const token = () =>
    `t${String(++made)
      .padStart(25, 'a')
      .replaceAll(/[0189]/g, 'b')}`;
  const optOut = (ref: string, from: string) => matched(message({ From: from, Subject: `unsubscribe-${ref}` }, ''));

  it('finds its email, whoever sends it: a stranger, an account of ours, the provider', async () => {
    const ref = token();
    const mail = await sent({ named: `<${ref}@example.com>`, at: ago(300) });
    for (const from of ['eve@evil.example', 'zoe@example.com', 'noreply@provider.example'])
      expect(await optOut(ref, from)).toEqual([mail.enrolmentId, 'token contact']);
    expect(await optOut(ref.replace('a', 'z'), 'eve@evil.example')).toBeNull();
  });

  it('of an account in a domain of other scripts, whose Message-IDs have A-labels', async () => {
    const ref = token();
    const idn = await insertAccount(app, { email: `zoe${made}@bücher.example`, imap: '{}' });
    const mail = await sentMail(installation, idn, { named: `<${ref}@xn--bcher-kva.example>` });
    expect(await optOut(ref, 'eve@evil.example')).toEqual([mail.enrolmentId, 'token contact']);
  });

  it('of another workspace finds nothing', async () => {
    const workspaceId = await insertRow(app, 'workspaces', { name: 'Third', created_at: new Date(), updated_at: new Date() });
    const other = await insertAccount(app, { imap: '{}', workspace_id: workspaceId });
    const ref = token();
    await sentMail(installation, other, { named: `<${ref}@example.com>` });
    expect(await optOut(ref, 'eve@evil.example')).toBeNull();
  });
});

it('a Thread-Index of Outlook finds the latest email of its conversation, of whichever age (T-9)', async () => {
  const ref = 'k'.repeat(26);
  const first = await sent({ named: `<${ref}@example.com>`, at: ago(300) });
  await sent({ ...first, step: 2, at: ago(290) });
  const headers = { From: 'ada@home.example', Subject: 'Abwesenheit' };
  const answer = (index: string) => matched(message({ ...headers, 'Thread-Index': index }, 'Yes.'));
  expect(await answer(threadIndex(ref, ago(300), ago(1)))).toEqual([first.enrolmentId, 'thread stranger']);
  expect(await answer(threadIndex('m'.repeat(26), ago(300), ago(1)))).toBeNull();
});

describe('an answer to an answer, whose program left our id out (T-9)', () => {
  /** Records a message in the mailbox that was about the email, with this proof. */
  const arrived = async (mail: SentMail, proof: string, accountId = zoe): Promise<string> => {
    const id = `<earlier-${++made}@home.example>`;
    const about = { workspace_id: 1, account_id: accountId, enrolment_id: mail.enrolmentId, outbox_id: mail.outboxId, proof };
    const place = { folder: 'INBOX', uid_validity: 1, uid: 9_000 + made, message_id: id, verdict: 'reply', reasons: '[]' };
    await insertRow(app, 'inbound_messages', { ...about, ...place, writer: 'contact', received_at: ago(1), created_at: ago(1) });
    return id;
  };
  const answerTo = (id: string) =>
    matched(message({ From: 'eve@elsewhere.example', Subject: 'Something else', 'In-Reply-To': id }, 'Yes.'));

  it.each(['id', 'ref', 'thread'])('is about the email that the other one was about by %s', async (proof) => {
    const mail = await sent();
    expect(await answerTo(await arrived(mail, proof))).toEqual([mail.enrolmentId, 'thread stranger']);
  });

  it.each(['sender', 'recipient', 'returned'])('proves nothing where the other one had only %s: that can be forged', async (proof) => {
    expect(await answerTo(await arrived(await sent(), proof))).toBeNull();
  });

  it('is about it by a message of another mailbox of the workspace: one that reaches both is recorded there alone (D2.12)', async () => {
    const other = await insertAccount(app, { imap: '{}' });
    const mail = await sentMail(installation, other);
    expect(await answerTo(await arrived(mail, 'id', other))).toEqual([mail.enrolmentId, 'thread stranger']);
  });

  it('proves nothing by a message of another workspace', async () => {
    const workspaceId = await insertRow(app, 'workspaces', { name: 'Fourth', created_at: new Date(), updated_at: new Date() });
    const other = await insertAccount(app, { imap: '{}', workspace_id: workspaceId });
    const mail = await sentMail(installation, other);
    const id = await arrived(mail, 'id', other);
    await app.db.query(sql`update inbound_messages set workspace_id = ${workspaceId} where message_id = ${id}`);
    expect(await answerTo(id)).toBeNull();
  });
});

describe('else the sender is the contact and the subject is the same, within 60 days', () => {
  it.each([
    'Re: Your roof',
    'AW: Your roof',
    'RE: [EXTERNAL] Your roof',
    'Antwort: Your roof',
    '回复: Your  roof',
    'SV: Re: your roof',
  ])('%s', async (subject) => {
    const mail = await sent({ subject: 'Your roof' });
    expect(await matched(unthreaded(mail, subject))).toEqual([mail.enrolmentId, 'sender contact']);
  });

  it('the address in whatever case, since addresses are compared so', async () => {
    const mail = await sent({ subject: 'Your roof' });
    expect(await matched(unthreaded({ ...mail, recipient: mail.recipient.toUpperCase() }, 'Re: Your roof'))).toEqual([
      mail.enrolmentId,
      'sender contact',
    ]);
  });

  it('59 days ago yes, 61 days ago no', async () => {
    const [young, old] = [await sent({ subject: 'Your roof', at: ago(59) }), await sent({ subject: 'Your roof', at: ago(61) })];
    expect(await matched(unthreaded(young, 'Re: Your roof'))).toEqual([young.enrolmentId, 'sender contact']);
    expect(await matched(unthreaded(old, 'Re: Your roof'))).toBeNull();
  });

  it('another subject, or another sender: no', async () => {
    const mail = await sent({ subject: 'Your roof' });
    expect(await matched(unthreaded(mail, 'Re: Your garden'))).toBeNull();
    expect(await matched(unthreaded({ ...mail, recipient: 'eve@evil.example' }, 'Re: Your roof'))).toBeNull();
    const colleague = { ...mail, recipient: 'charles@recipient.example' };
    expect(await matched(unthreaded(colleague, 'Re: Your roof'))).toBeNull();
  });

  it('of several mails under that subject the last', async () => {
    const first = await sent({ subject: 'Your roof', at: ago(9) });
    const last = await sent({ subject: 'Your roof', contactId: first.contactId, recipient: first.recipient, at: ago(2) });
    expect(await matched(unthreaded(first, 'Re: Your roof'))).toEqual([last.enrolmentId, 'sender contact']);
  });
});

describe('a colleague of the same domain', () => {
  it('is recorded on the thread as one', async () => {
    const mail = await sent();
    const from = (address: string) => matched(reply(mail, { From: address }));
    expect(await from('Charles Babbage <charles@recipient.example>')).toEqual([mail.enrolmentId, 'id colleague']);
    // The same person with another address of the company, and a person who answers for a shared mailbox.
    expect(await from('Ada Lovelace <ada.lovelace@recipient.example>')).toEqual([mail.enrolmentId, 'id contact']);
    const shared = await sent({ recipient: 'office@recipient.example' });
    expect(await matched(reply(shared, { From: 'Charles <charles@recipient.example>' }))).toEqual([shared.enrolmentId, 'id contact']);
  });

  it('is none where strangers share the domain', async () => {
    const mail = await sent({ recipient: 'ada.l@gmail.com' });
    expect(await matched(reply(mail, { From: 'Ada <ada.private@gmail.com>' }))).toEqual([mail.enrolmentId, 'id stranger']);
  });
});

describe('whose mailbox it is', () => {
  it('an email of another account of the workspace is known by its id, and never by sender and subject', async () => {
    const other = await insertAccount(app, { imap: '{}' });
    const mail = await sentMail(installation, other);
    expect(await matched(reply(mail))).toEqual([mail.enrolmentId, 'id contact']);
    expect(await matched(unthreaded(mail, 'Re: Hello'))).toBeNull();
  });

  it('an email of another workspace is not looked at, whatever its id', async () => {
    const workspaceId = await insertRow(app, 'workspaces', { name: 'Other', created_at: new Date(), updated_at: new Date() });
    const other = await insertAccount(app, { imap: '{}', workspace_id: workspaceId });
    const mail = await sentMail(installation, other);
    expect(await matched(reply(mail))).toBeNull();
  });

  it('C1.1: a campaign whose reply address is no connected account: what reaches the mailbox that sent it counts all the same', async () => {
    const campaignId = await insertCampaign(app, { account_id: zoe, reply_to: 'boss@elsewhere.example' }, [{ subject: 'Hello' }]);
    const mail = await sent({ campaignId });
    expect(await matched(reply(mail))).toEqual([mail.enrolmentId, 'id contact']);
    expect(await matched(unthreaded(mail, 'Re: Hello'))).toEqual([mail.enrolmentId, 'sender contact']);
  });
});

describe('our own side is never the contact', () => {
  it.each([
    ['an account of the workspace', 'zoe@example.com'],
    ['somebody of the sender’s domain', 'Xaver <xaver@example.com>'],
    ['the reply address of the campaign', 'boss@elsewhere.example'],
    ['a member of the workspace', 'member@private.example'],
  ])('%s', async (_, from) => {
    const userId = await insertRow(app, 'users', {
      ...{ name: 'Member', email: `member${from.startsWith('member') ? '' : made++}@private.example` },
      ...{ created_at: new Date(), updated_at: new Date() },
    });
    await app.db.query(sql`insert into memberships (workspace_id, user_id, role, created_at) values (1, ${userId}, 'manager', now())`);
    const campaignId = await insertCampaign(app, { account_id: zoe, reply_to: 'boss@elsewhere.example' }, [{ subject: 'Hello' }]);
    const mail = await sent({ campaignId });
    expect(await matched(reply(mail, { From: from }))).toEqual([mail.enrolmentId, 'id us']);
  });

  it('save where the very address was emailed: people try a campaign on themselves', async () => {
    const mail = await sent({ recipient: 'trial@example.com' });
    expect(await matched(reply(mail))).toEqual([mail.enrolmentId, 'id contact']);
  });
});

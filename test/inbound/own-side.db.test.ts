import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { operator } from '../../src/access/index.ts';
import type { App } from '../../src/app.ts';
import { suppressAddress } from '../../src/campaigns/index.ts';
import { isSuppressed } from '../../src/contacts/index.ts';
import { MINUTE } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { MailboxPoller } from '../../src/inbound/index.ts';
import { TEST_START, type TestInstallation, testInstallation } from '../support/database.ts';
import { type ImapServer, startImapServer } from '../support/imap-server.ts';
import { bounce, message, reply } from '../support/inbound-mail.ts';
import { mailboxAccount, PASSWORD, type SentMail, type SentOptions, sentMail } from '../support/polled-mailbox.ts';
import { insertCampaign, insertContact, insertEnrolment, insertRow, rowOf } from '../support/rows.ts';

/** Who may reply for a contact, and what a message must prove (docs/what-a-message-proves.md), tested with a mailbox. */

const ZOE = 'zoe@example.com';
let installation: TestInstallation;
let app: App;
let server: ImapServer;
let zoe: number;

beforeAll(async () => {
  installation = await testInstallation();
  app = installation.app;
  server = await startImapServer({ users: { [ZOE]: PASSWORD } });
  zoe = await mailboxAccount(app, server.port, ZOE);
});
afterAll(() => server?.close());
beforeEach(() => installation.clock.set(TEST_START));

const sent = (options: SentOptions = {}) => sentMail(installation, zoe, options);

async function poll(...raws: string[]): Promise<void> {
  for (const raw of raws) await server.append(ZOE, 'INBOX', raw);
  expect(await new MailboxPoller(app).poll(zoe)).not.toBeNull();
  installation.clock.advance(MINUTE);
}

const status = async ({ enrolmentId }: SentMail) => (await rowOf<{ status: string }>(app, 'enrolments', enrolmentId)).status;
const events = async ({ enrolmentId }: SentMail) =>
  (await app.db.query<{ type: string }>(sql`select type from events where enrolment_id = ${enrolmentId} and in_feed order by id`)).map(
    (row) => row.type,
  );
const suppression = async ({ recipient }: SentMail) =>
  (
    await app.db.query<{ reason: string; workspace_only: boolean }>(
      sql`select reason, workspace_only from suppressions where email = ${recipient} and removed_at is null`,
    )
  )[0];
const bounces = async () =>
  (await app.db.query<{ count: number }>(sql`select coalesce(sum(bounced), 0)::int as count from account_days`))[0]?.count;

describe('C1.1: what reaches a mailbox that we read has its effect, also where reply_to is no connected account', () => {
  const elsewhere = () => insertCampaign(app, { account_id: zoe, reply_to: 'boss@elsewhere.example' }, [{ subject: 'Hello' }, {}]);

  it('a removal request at the address of List-Unsubscribe, a removal request in the thread and a bounce', async () => {
    const [byAddress, inThread, returned] = [
      await sent({ campaignId: await elsewhere() }),
      await sent({ campaignId: await elsewhere() }),
      await sent({ campaignId: await elsewhere() }),
    ];
    await poll(
      message({ From: byAddress.recipient, Subject: 'unsubscribe' }, ''),
      reply(inThread, {}, ['Please remove me from your list.']),
      bounce(returned),
    );
    expect([await status(byAddress), await status(inThread), await status(returned)]).toEqual(['stopped', 'stopped', 'bounced']);
    expect([(await suppression(byAddress))?.reason, (await suppression(returned))?.reason]).toEqual(['asked to be removed', 'bounce']);
    // Specification: the campaign has no reply and bounce metrics.
    expect([await events(byAddress), await events(inThread), await events(returned)]).toEqual([['unsubscribed'], ['unsubscribed'], []]);
  });
});

describe('C1.1: the sequence has ended, and reply_to is no connected account', () => {
  it('a contact who asks to be removed has replied: completed becomes replied, without an event', async () => {
    const campaignId = await insertCampaign(app, { account_id: zoe, reply_to: 'boss@elsewhere.example' }, [{ subject: 'Hello' }]);
    const mail = await sent({ campaignId, enrolment: { status: 'completed', due_at: null } });
    await poll(reply(mail, {}, ['Please remove me from your list.']));
    expect([await status(mail), await events(mail)]).toEqual(['replied', ['unsubscribed']]);
  });
});

describe('C1.3: who answers', () => {
  const left = ['He has left. Please remove us from your list.'];

  it.each([
    ['a colleague', 'Charles Babbage <charles@recipient.example>'],
    ['an unknown third', 'Mary <mary@elsewhere.example>'],
  ])('a removal request of %s stops the enrolment and suppresses the emailed address', async (_, from) => {
    const mail = await sent();
    await poll(reply(mail, { From: from }, left));
    expect([await status(mail), (await suppression(mail))?.reason]).toEqual(['stopped', 'asked to be removed']);
    expect(await events(mail)).toEqual(['replied', 'unsubscribed']);
  });

  it('a forward among ourselves whose References hold our id is no reply, and neither is “please remove them” of ours', async () => {
    const mail = await sent();
    const own = { From: 'Xaver <xaver@example.com>', 'In-Reply-To': '<other@example.com>', References: mail.messageId };
    await poll(reply(mail, own, 'Have a look at this.'), reply(mail, own, ['Please remove me from your list.']));
    expect([await status(mail), await events(mail), await suppression(mail)]).toEqual(['active', [], undefined]);
    expect(await app.db.query(sql`select 1 from inbound_messages where enrolment_id = ${mail.enrolmentId}`)).toEqual([]);
  });
});

describe('C1.4: a bounce that proves nothing but a recipient', () => {
  it('bounces that enrolment, suppresses in this workspace alone, and the bounce guard does not count it', async () => {
    const mail = await sent();
    const before = await bounces();
    await poll(bounce(mail, { returned: null }));
    expect([await status(mail), await events(mail)]).toEqual(['bounced', ['bounced']]);
    expect(await suppression(mail)).toEqual({ reason: 'bounce', workspace_only: true });
    expect(await bounces()).toBe(before);
    const other = await insertRow(app, 'workspaces', { name: 'Other', created_at: new Date(), updated_at: new Date() });
    expect([await isSuppressed(app.db, app, 1, mail.recipient), await isSuppressed(app.db, app, other, mail.recipient)]).toEqual([
      true,
      false,
    ]);
    // A suppression by a user applies everywhere; the first reason stays.
    await suppressAddress(app, operator(1), { email: mail.recipient, reason: 'asked by phone' });
    expect(await suppression(mail)).toEqual({ reason: 'bounce', workspace_only: false });
    expect(await isSuppressed(app.db, app, other, mail.recipient)).toBe(true);
  });

  it.each([
    'bounce',
    'complaint',
  ])('a forged %s reaches nobody of another workspace, whom the same address is a contact of', async (kind) => {
    const mail = await sent();
    const times = { created_at: app.clock.now(), updated_at: app.clock.now() };
    const other = await insertRow(app, 'workspaces', { name: `Elsewhere ${kind}`, ...times });
    const contact_id = await insertContact(app, { workspace_id: other, email: mail.recipient });
    const theirs = await insertEnrolment(app, await insertCampaign(app, { workspace_id: other }), { workspace_id: other, contact_id });
    const complaint = message({ From: 'fbl@evil.example', 'Content-Type': 'multipart/report; report-type=feedback-report; boundary=b' }, [
      ...['--b', 'Content-Type: message/feedback-report', '', 'Feedback-Type: abuse', 'User-Agent: x/1', 'Version: 1'],
      ...[`Original-Rcpt-To: <${mail.recipient}>`, '', '--b--'],
    ]);
    await poll(kind === 'bounce' ? bounce(mail, { returned: null }) : complaint);
    expect([await status(mail), (await suppression(mail))?.workspace_only]).toEqual([kind === 'bounce' ? 'bounced' : 'stopped', true]);
    expect((await rowOf<{ status: string }>(app, 'enrolments', theirs.id)).status).toBe('active');
    expect(await isSuppressed(app.db, app, other, mail.recipient)).toBe(false);
  });

  it('one that returns an intact header has its full effect', async () => {
    const mail = await sent();
    const before = await bounces();
    const header = { From: ZOE, To: mail.recipient, Subject: 'Hello', Date: new Date(TEST_START).toUTCString() };
    await poll(bounce(mail, { returned: header }));
    expect([await status(mail), await suppression(mail)]).toEqual(['bounced', { reason: 'bounce', workspace_only: false }]);
    expect(await bounces()).toBe((before ?? 0) + 1);
  });
});

describe('C1.2: after a person corrected the address', () => {
  const corrected = async (recipient: string) => {
    const mail = await sent({ recipient });
    const present = `present.${recipient}`;
    await app.db.query(sql`update contacts set email = ${present} where id = ${mail.contactId}`);
    return { mail, present: { ...mail, recipient: present } };
  };

  it('a late bounce of the former address suppresses that one and leaves the enrolment alone', async () => {
    const { mail, present } = await corrected('tpyo@somewhere.example');
    await poll(bounce(mail));
    expect([await status(mail), (await suppression(mail))?.reason, await suppression(present)]).toEqual(['active', 'bounce', undefined]);
  });

  it('a removal request to an email of the former address ends the enrolment and suppresses both', async () => {
    const { mail, present } = await corrected('former@somewhere.example');
    await poll(reply(mail, {}, ['Please remove me from your list.']));
    expect(await status(mail)).toBe('stopped');
    expect([await suppression(mail), await suppression(present)].map((found) => found?.reason)).toEqual(
      Array(2).fill('asked to be removed'),
    );
  });
});

describe('C1.14: no longer with the company', () => {
  it.each([
    ['a notice of the contact’s mailbox', { Subject: 'Automatic reply: Hello', 'Auto-Submitted': 'auto-replied' }],
    ['a reply of a colleague', { From: 'Charles Babbage <charles@recipient.example>' }],
  ])('%s stops the enrolment with the reason left_company, and suppresses nothing', async (_, headers) => {
    const mail = await sent();
    await poll(reply(mail, headers, 'Ada Lovelace is no longer with the company.'));
    const { stop_reason } = await rowOf<{ stop_reason: string }>(app, 'enrolments', mail.enrolmentId);
    expect([await status(mail), stop_reason, await suppression(mail), await events(mail)]).toEqual([
      'stopped',
      'left_company',
      undefined,
      [],
    ]);
  });
});

describe('T-4: the Message-ID that a provider gave an email in place of ours', () => {
  const learnt = async ({ outboxId }: SentMail) =>
    (await rowOf<{ provider_message_id: string }>(app, 'outbox', outboxId)).provider_message_id;

  it('is learnt from the first reply, and proves the next one', async () => {
    const mail = await sent();
    await poll(reply(mail, { 'In-Reply-To': '<new@provider.example>' }));
    expect(await learnt(mail)).toBe('<new@provider.example>');
    await poll(reply(mail, { From: 'Mary <mary@elsewhere.example>', 'In-Reply-To': '<new@provider.example>', Subject: 'Other' }));
    const kept = await app.db.query(sql`select proof, writer from inbound_messages where enrolment_id = ${mail.enrolmentId} order by id`);
    expect(kept).toEqual([
      { proof: 'sender', writer: 'contact' },
      { proof: 'id', writer: 'stranger' },
    ]);
  });

  it('is learnt from a returned header that holds our X-Entity-Ref-ID; a known one stays', async () => {
    const mail = await sent();
    const mark = mail.messageId.slice(1, mail.messageId.indexOf('@'));
    await poll(bounce(mail, { returned: { 'Message-ID': '<first@provider.example>', 'X-Entity-Ref-ID': mark } }));
    await poll(bounce(mail, { returned: { 'Message-ID': '<second@provider.example>', 'X-Entity-Ref-ID': mark } }));
    expect(await learnt(mail)).toBe('<first@provider.example>');
  });

  it('is not learnt from a bounce that only names the recipient', async () => {
    const mail = await sent();
    await poll(bounce(mail, { returned: { 'Message-ID': '<forged@evil.example>' } }));
    expect([await status(mail), await learnt(mail)]).toEqual(['bounced', null]);
  });
});

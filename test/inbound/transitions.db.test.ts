import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Caller, operator } from '../../src/access/index.ts';
import type { App } from '../../src/app.ts';
import {
  activateCampaign,
  archiveContact,
  closeCall,
  deleteContact,
  enrol,
  listCalls,
  listEnrolments,
  openDueCalls,
  pauseCampaign,
  resumeAccount,
  resumeEnrolment,
  stopEnrolment,
  suppressAddress,
  unarchiveContact,
} from '../../src/campaigns/index.ts';
import { DAY, MINUTE } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { MailboxPoller } from '../../src/inbound/index.ts';
import { unsubscribe } from '../../src/tracking/unsubscribe.ts';
import { TEST_START, type TestInstallation, testInstallation } from '../support/database.ts';
import { type ImapServer, startImapServer } from '../support/imap-server.ts';
import { bounce, reply } from '../support/inbound-mail.ts';
import { mailboxAccount, PASSWORD, type SentMail, type SentOptions, sentMail } from '../support/polled-mailbox.ts';
import { insertCampaign, insertContact, insertEnrolment, rowOf } from '../support/rows.ts';

/** Transitions of an enrolment's status: one test for each row of the table of transitions, in its order. */

const ZOE = 'zoe@example.com';
let installation: TestInstallation;
let app: App;
let caller: Caller;
let server: ImapServer;
let zoe: number;

beforeAll(async () => {
  installation = await testInstallation();
  app = installation.app;
  caller = operator(1);
  server = await startImapServer({ users: { [ZOE]: PASSWORD } });
  zoe = await mailboxAccount(app, server.port, ZOE);
});
afterAll(() => server?.close());
beforeEach(() => installation.clock.set(TEST_START));

const sent = (enrolment: Record<string, unknown> = {}, options: SentOptions = {}) => sentMail(installation, zoe, { enrolment, ...options });

/** Delivers messages and polls them together; the next poll is a minute later. */
async function poll(...raws: string[]): Promise<void> {
  for (const raw of raws) await server.append(ZOE, 'INBOX', raw);
  expect(await new MailboxPoller(app).poll(zoe)).not.toBeNull();
  installation.clock.advance(MINUTE);
}

const stand = ({ enrolmentId: id }: Pick<SentMail, 'enrolmentId'>) =>
  rowOf<{ status: string; stop_reason: string | null; due_at: Date | null; held_until: Date | null; current_step: number }>(
    app,
    'enrolments',
    id,
  );
const status = async (mail: SentMail) => (await stand(mail)).status;
const events = async (mail: Pick<SentMail, 'enrolmentId'>) =>
  (await app.db.query<{ type: string }>(sql`select type from events where enrolment_id = ${mail.enrolmentId} and in_feed order by id`)).map(
    ({ type }) => type,
  );
const suppression = async ({ recipient }: SentMail) =>
  (await app.db.query<{ reason: string }>(sql`select reason from suppressions where email = ${recipient} and removed_at is null`))[0]
    ?.reason;
const nextSendOf = async ({ campaignId, contactId }: Pick<SentMail, 'campaignId' | 'contactId'>) =>
  (await listEnrolments(app, caller, campaignId, { limit: 50, offset: 0 })).data.find(({ contact_id }) => contact_id === contactId)
    ?.next_send_at;
/** Creates another enrolment of the same contact. */
const beside = ({ contactId, recipient }: SentMail) => sent({}, { contactId, recipient });

const removal = (mail: SentMail) => reply(mail, {}, ['Please remove me from your list.']);
const notice = (mail: SentMail, text: string) => reply(mail, { Subject: 'Automatic reply: Hello', 'Auto-Submitted': 'auto-replied' }, text);
const full = (mail: SentMail) => bounce(mail, { status: '4.2.2', diagnostic: '452 4.2.2 Mailbox full' });
const refusedAsSpam = (mail: SentMail) => bounce(mail, { status: '5.7.1', diagnostic: '550 5.7.1 Message rejected as spam' });

describe('from nothing', () => {
  it('enrolling: active at step 1, event enrolled; next_send_at is null while the campaign is a draft or paused', async () => {
    const campaignId = await insertCampaign(app, { account_id: zoe, status: 'draft' }, [{ subject: 'Hello' }]);
    const contactId = await insertContact(app);
    await enrol(app, caller, campaignId, { contact_ids: [contactId] });
    const [row] = await app.db.query<{ id: number }>(sql`select id from enrolments where campaign_id = ${campaignId}`);
    const of = { enrolmentId: row?.id ?? 0, campaignId, contactId };
    expect(await stand(of)).toMatchObject({ status: 'active', current_step: 1 });
    expect([await events(of), await nextSendOf(of)]).toEqual([['enrolled'], null]);
    await activateCampaign(app, caller, campaignId, null);
    expect(await nextSendOf(of)).toBe('2026-07-07 12:00:00');
    await pauseCampaign(app, caller, campaignId);
    expect(await nextSendOf(of)).toBeNull();
  });
});

describe('from active', () => {
  it('a person’s reply to a mail of ours: replied, event replied, no next_send_at, the pending call is cancelled', async () => {
    const campaignId = await insertCampaign(app, { account_id: zoe }, [{ subject: 'Hello' }, { kind: 'call' }]);
    const mail = await sent({ due_at: installation.clock.now() }, { campaignId });
    await openDueCalls(app);
    const calls = async () =>
      (await listCalls(app.db, caller, { all: true }, { limit: 200, offset: 0 })).data.filter((call) => call.contact_id === mail.contactId);
    expect(await calls()).toHaveLength(1);
    await poll(reply(mail));
    expect([await status(mail), await events(mail), await nextSendOf(mail)]).toEqual(['replied', ['replied'], null]);
    expect((await calls()).map((call) => call.status)).toEqual(['cancelled']);
  });

  it('an automatic reply: active, no event; held to one business day after the return date, else for seven days; never less than a person set', async () => {
    const set = new Date('2026-12-24T00:00:00Z');
    const [dated, plain, kept] = [await sent(), await sent(), await sent({ held_until: set })];
    const now = installation.clock.now().getTime();
    await poll(
      notice(dated, 'I am out of the office until Friday, 17 July 2026.'),
      notice(plain, 'I am away.'),
      notice(kept, 'I am away.'),
    );
    expect((await Promise.all([dated, plain, kept].map(stand))).map((row) => [row.status, row.held_until])).toEqual([
      ['active', new Date('2026-07-20T00:00:00Z')],
      ['active', new Date(now + 7 * DAY)],
      ['active', set],
    ]);
    expect(await events(dated)).toEqual([]);
  });

  it('a reply that asks to be removed: stopped, events replied and unsubscribed, the address suppressed', async () => {
    const mail = await sent();
    await poll(removal(mail));
    expect([await status(mail), await events(mail)]).toEqual(['stopped', ['replied', 'unsubscribed']]);
    expect(await suppression(mail)).toBe('asked to be removed');
  });

  it('the unsubscribe link: stopped, event unsubscribed, suppressed, with every active enrolment of theirs', async () => {
    const mail = await sent();
    const other = await beside(mail);
    await unsubscribe(app, mail.outboxId, null);
    expect([await status(mail), await events(mail), await suppression(mail)]).toEqual(['stopped', ['unsubscribed'], 'unsubscribed']);
    expect([await status(other), await events(other)]).toEqual(['stopped', []]);
  });

  it('the address is suppressed by hand: stopped, no event, an audit row', async () => {
    const mail = await sent();
    await suppressAddress(app, caller, { email: mail.recipient, reason: 'asked by phone' });
    expect([await status(mail), await events(mail)]).toEqual(['stopped', []]);
    const audited = await app.db.query(
      sql`select 1 from audit_log where resource_type = 'enrolment' and resource_id = ${mail.enrolmentId} and action = 'enrolment.end'`,
    );
    expect(audited).toHaveLength(1);
  });

  it('a hard bounce: bounced, event bounced, suppressed; other active enrolments of the address bounce without an event', async () => {
    const mail = await sent();
    const other = await beside(mail);
    await poll(bounce(mail));
    expect([await status(mail), await events(mail), await suppression(mail)]).toEqual(['bounced', ['bounced'], 'bounce']);
    expect([await status(other), await events(other)]).toEqual(['bounced', []]);
  });

  it('a soft bounce: active; three in a row: bounced, and the address is not suppressed', async () => {
    const first = await sent();
    await poll(full(first));
    expect([await status(first), await events(first)]).toEqual(['active', []]);
    for (const step of [2, 3]) await poll(full(await sent({}, { ...first, step, at: installation.clock.now() })));
    expect([await status(first), await events(first), await suppression(first)]).toEqual(['bounced', ['bounced'], undefined]);
  });

  it('a failure that is ours: active with an event failed for each mail, after three stopped; a fault of the account pauses the account', async () => {
    const first = await sent();
    await poll(refusedAsSpam(first));
    expect([await status(first), await events(first)]).toEqual(['active', ['failed']]);
    for (const step of [2, 3]) await poll(refusedAsSpam(await sent({}, { ...first, step, at: installation.clock.now() })));
    expect([await status(first), await events(first)]).toEqual(['stopped', ['failed', 'failed', 'failed']]);
    // Three bounces among so few emails pause the account.
    await resumeAccount(app, operator(1), zoe);
    const limited = await sent();
    await poll(bounce(limited, { status: '5.4.5', diagnostic: '550 5.4.5 Daily user sending limit exceeded' }));
    expect([await status(limited), (await rowOf<{ pause_reason: string }>(app, 'accounts', zoe)).pause_reason]).toEqual([
      'active',
      'provider_limit',
    ]);
    await app.db.query(sql`update accounts set status = 'active', pause_reason = null, pause_message = null where id = ${zoe}`);
  });

  it('the last step is carried out: completed at once', async () => {
    const campaignId = await insertCampaign(app, { account_id: zoe }, [{ subject: 'Hello' }, { kind: 'call', wait_days: 0 }]);
    const mail = await sent({ due_at: installation.clock.now() }, { campaignId });
    await openDueCalls(app);
    const call = (await listCalls(app.db, caller, { all: true }, { limit: 200, offset: 0 })).data.find(
      (each) => each.contact_id === mail.contactId,
    );
    await closeCall(app, caller, call?.id ?? 0, { outcome: 'skipped', note: null });
    expect(await stand(mail)).toMatchObject({ status: 'completed', due_at: null });
  });

  it('the contact is archived or deleted: stopped; unarchiving does not start it again', async () => {
    const [archived, deleted] = [await sent(), await sent()];
    await archiveContact(app, caller, archived.contactId);
    await unarchiveContact(app, caller, archived.contactId);
    await deleteContact(app, caller, deleted.contactId);
    expect([await status(archived), await status(deleted)]).toEqual(['stopped', 'stopped']);
  });

  it('a person stops it: stopped, and the reason is stored', async () => {
    const mail = await sent();
    await stopEnrolment(app, caller, mail.enrolmentId, 'is a competitor');
    expect(await stand(mail)).toMatchObject({ status: 'stopped', stop_reason: 'is a competitor' });
  });
});

describe('from active, by the rule that one answer speaks for a company', () => {
  const atAcme = (campaignId: number, recipient: string) => sent({}, { campaignId, recipient });
  const isReasoned = { status: 'stopped', stop_reason: 'somebody else at the company replied', due_at: null };

  it('a contact replies: others of the domain in that campaign are stopped with the reason, without an event; nobody else is', async () => {
    const campaignId = await insertCampaign(app, { account_id: zoe, stop_company: true }, [{ subject: 'Hello' }, {}]);
    const first = await atAcme(campaignId, 'ada@acme.example');
    const second = await atAcme(campaignId, 'bob@ACME.example');
    const others = [
      await atAcme(campaignId, 'ada@acme.example.org'),
      await sent({}, { recipient: 'eve@acme.example' }),
      await sent({ status: 'completed' }, { campaignId, recipient: 'joe@acme.example' }),
    ];
    await poll(notice(first, 'I am away.'));
    expect(await status(second)).toBe('active');
    await poll(reply(first));
    expect(await stand(second)).toMatchObject(isReasoned);
    expect(await events(second)).toEqual([]);
    expect(await Promise.all([first, ...others].map(status))).toEqual(['replied', 'active', 'active', 'completed']);
  });

  it('neither at a provider where strangers have their addresses, nor where the rule is off, as it is by default', async () => {
    for (const [domain, stop_company] of [
      ['gmail.com', true],
      ['beta.example', false],
    ] as const) {
      const campaignId = await insertCampaign(app, { account_id: zoe, stop_company }, [{ subject: 'Hello' }, {}]);
      const [first, second] = [await atAcme(campaignId, `ada@${domain}`), await atAcme(campaignId, `bob@${domain}`)];
      await poll(reply(first));
      expect([await status(first), await status(second)]).toEqual(['replied', 'active']);
    }
  });
});

describe('from an end', () => {
  it('completed, a reply comes later: replied', async () => {
    const mail = await sent({ status: 'completed', due_at: null });
    await poll(reply(mail));
    expect([await status(mail), await events(mail)]).toEqual(['replied', ['replied']]);
  });

  it('completed, the last mail comes back later: bounced', async () => {
    const mail = await sent({ status: 'completed', due_at: null });
    await poll(bounce(mail));
    expect([await status(mail), await events(mail)]).toEqual(['bounced', ['bounced']]);
  });

  it.each(['replied', 'stopped'])('%s, a reply or a bounce comes later: unchanged, and the event is recorded', async (from) => {
    const [answered, returned] = [await sent({ status: from, due_at: null }), await sent({ status: from, due_at: null })];
    installation.clock.advance(MINUTE);
    await poll(reply(answered), bounce(returned));
    expect([await status(answered), await events(answered)]).toEqual([from, ['replied']]);
    expect([await status(returned), await events(returned)]).toEqual([from, ['bounced']]);
  });

  it('bounced, a person replies: replied, and the suppression is kept', async () => {
    const mail = await sent();
    await poll(bounce(mail));
    await poll(reply(mail));
    expect([await status(mail), await suppression(mail)]).toEqual(['replied', 'bounce']);
  });

  it('resumed by a person: active at the next undone step; refused when suppressed, archived or deleted', async () => {
    const mail = await sent();
    await stopEnrolment(app, caller, mail.enrolmentId);
    await resumeEnrolment(app, caller, mail.enrolmentId);
    expect(await stand(mail)).toMatchObject({ status: 'active', current_step: 2 });
    const [suppressed, archived, deleted] = [await sent(), await sent(), await sent()];
    await suppressAddress(app, caller, { email: suppressed.recipient, reason: null });
    await archiveContact(app, caller, archived.contactId);
    await deleteContact(app, caller, deleted.contactId);
    for (const { enrolmentId } of [suppressed, archived, deleted])
      await expect(resumeEnrolment(app, caller, enrolmentId)).rejects.toMatchObject({ code: 'conflict' });
  });

  it.each(['active', 'replied', 'stopped', 'bounced', 'completed'])('%s, enrolled again: skipped without an error', async (from) => {
    const campaignId = await insertCampaign(app, { account_id: zoe });
    const { id, contactId } = await insertEnrolment(app, campaignId, { status: from });
    expect(await enrol(app, caller, campaignId, { contact_ids: [contactId] })).toEqual({ enrolled: 0 });
    expect(await stand({ enrolmentId: id })).toMatchObject({ status: from });
  });
});

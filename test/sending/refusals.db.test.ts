import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { getAccount } from '../../src/accounts/index.ts';
import { changeStep, checkCampaign, listSteps, resumeAccount } from '../../src/campaigns/index.ts';
import { sendFailuresTotal } from '../../src/core/metrics.ts';
import { MailboxPoller } from '../../src/inbound/index.ts';
import { explainCampaign, resumeLimitedAccounts } from '../../src/sending/index.ts';
import { TEST_START, type TestInstallation, testInstallation } from '../support/database.ts';
import { bounce } from '../support/inbound-mail.ts';
import { workspace } from '../support/people.ts';
import { sentMail } from '../support/polled-mailbox.ts';
import { insertAccount, rowOf } from '../support/rows.ts';
import { giveMailbox, startMailServers, startSender } from '../support/sender.ts';
import type { SmtpSink } from '../support/smtp-sink.ts';

let installation: TestInstallation;
let sink: SmtpSink;
let imap: Awaited<ReturnType<typeof startMailServers>>['imap'];

beforeAll(async () => {
  installation = await testInstallation();
  ({ imap, sink } = await startMailServers());
});
afterAll(() => sink?.close());
beforeEach(() => {
  installation.clock.set(TEST_START);
  sink.behave();
  sink.messages.length = 0;
});

const account = (id: number) => getAccount(installation.app.db, installation.caller, id);
const statusOf = async (id: number) => {
  const { status, pause_reason } = await rowOf<{ status: string; pause_reason: string | null }>(installation.app, 'accounts', id);
  return pause_reason ?? status;
};
const contacts = (name: string, count: number) => Array.from({ length: count }, (_, index) => ({ email: `${name}-${index}@example.org` }));
const unwanted = (name: string, ...indexes: number[]) => {
  const reply = { code: 550, text: '5.7.1 Our system has detected that this message is likely unsolicited mail' };
  for (const index of indexes) sink.misbehave('data', reply, { to: `${name}-${index}@example.org` });
};

describe('standards §6: refusals as unwanted, 5% of the last 50', () => {
  it('3 of 50 pause the account, with the count and the words of the server, though others were accepted in between', async () => {
    const sender = await startSender(installation, sink, { contacts: contacts('a', 60) });
    unwanted('a', 5, 20, 45);
    expect(await sender.batch()).toEqual({ sent: 43, other: 17 });
    expect(await account(sender.accountId)).toMatchObject({
      status: 'paused',
      pause_reason: 'provider_error',
      pause_message: expect.stringMatching(
        /^3 of the last 50 emails were refused as unwanted, the latest with: 550 5\.7\.1 Our system has/,
      ),
    });
  });

  it('3 of more than 50 do not', async () => {
    const sender = await startSender(installation, sink, { contacts: contacts('b', 60) });
    unwanted('b', 0, 30, 55);
    expect((await sender.batch()).sent).toBe(57);
    expect(await statusOf(sender.accountId)).toBe('active');
  });

  it('resuming the account begins anew', async () => {
    const { app, caller } = installation;
    const sender = await startSender(installation, sink, { contacts: contacts('c', 6) });
    unwanted('c', 1, 2, 3, 4);
    await sender.batch();
    expect(await statusOf(sender.accountId)).toBe('provider_error');
    await resumeAccount(app, caller, sender.accountId);
    installation.clock.advance(11 * 60_000);
    expect((await sender.batch()).sent).toBe(1);
    expect(await statusOf(sender.accountId)).toBe('active');
  });

  it('an email returned as unwanted counts too, once for each email', async () => {
    const { app } = installation;
    const { accountId: id } = await startSender(installation, sink);
    const email = await giveMailbox(installation, id, imap.port);
    const notices = { status: '5.7.1', diagnostic: '550 5.7.1 Message rejected as spam' };
    const receive = async (times: number) => {
      const mail = await sentMail(installation, id);
      for (let time = 0; time < times; time++) await imap.append(email, 'INBOX', bounce(mail, notices));
      await new MailboxPoller(app).poll(id);
    };
    await receive(3);
    await receive(1);
    expect(await statusOf(id)).toBe('active');
    await receive(1);
    expect(await statusOf(id)).toBe('provider_error');
  });
});

describe('standards §6: 5.7.232 and 5.7.233 mean the whole tenant', () => {
  it.each([
    '5.7.232',
    '5.7.233',
  ])('%s pauses all active accounts of the domain on that server until their next local day', async (status) => {
    const { app, clock } = installation;
    const [one, two] = [await startSender(installation, sink), await startSender(installation, sink)];
    const smtp = JSON.stringify({ host: '127.0.0.1' });
    const elsewhere = await insertAccount(app, { email: `x${status}@EXAMPLE.com`, smtp, workspace_id: await workspace(app) });
    const otherDomain = await insertAccount(app, { email: `y${status}@example.net`, smtp });
    const otherServer = await insertAccount(app, { email: `z${status}@example.com`, smtp: JSON.stringify({ host: 'smtp.example.net' }) });
    sink.misbehave(
      'data',
      { code: 550, text: `${status} Your message can't be sent because your tenant has exceeded its daily limit` },
      { times: 1 },
    );
    await one.batch();
    expect(await Promise.all([one.accountId, two.accountId, elsewhere, otherDomain, otherServer].map(statusOf))).toEqual([
      ...['provider_limit', 'provider_limit', 'provider_limit'],
      ...['active', 'active'],
    ]);
    clock.set('2026-07-08T12:00:00Z');
    expect(await resumeLimitedAccounts(app)).toEqual(expect.arrayContaining([one.accountId, two.accountId, elsewhere]));
  });

  it('said by a notice, it reaches the accounts of its workspace only: anybody can write one', async () => {
    const { app } = installation;
    const smtp = JSON.stringify({ host: '127.0.0.1' });
    const { accountId: id } = await startSender(installation, sink);
    const email = await giveMailbox(installation, id, imap.port);
    const own = await insertAccount(app, { email: 'colleague@example.com', smtp });
    const elsewhere = await insertAccount(app, { email: 'other@example.com', smtp, workspace_id: await workspace(app) });
    const mail = await sentMail(installation, id);
    await imap.append(email, 'INBOX', bounce(mail, { status: '5.7.232', diagnostic: '550 5.7.232 tenant has exceeded its daily limit' }));
    await new MailboxPoller(app).poll(id);
    expect(await Promise.all([id, own, elsewhere].map(statusOf))).toEqual(['provider_limit', 'provider_limit', 'active']);
  });

  it('a limit of one mailbox pauses that one', async () => {
    const [one, two] = [await startSender(installation, sink), await startSender(installation, sink)];
    sink.misbehave('data', {
      code: 550,
      text: "5.1.90 Your message can't be sent because you've reached your daily limit for message recipients",
    });
    await one.batch();
    expect([await statusOf(one.accountId), await statusOf(two.accountId)]).toEqual(['provider_limit', 'active']);
  });
});

describe('standards §6: a step that servers refuse for its content', () => {
  it('is named by explain and check, with the number of its emails and the words of a server, until the step is changed', async () => {
    const { app, caller } = installation;
    const sender = await startSender(installation, sink, { contacts: contacts('d', 3), campaign: { track_opens: false } });
    const [refused, virus, spam] = [0, 1, 2].map((index) => ({ to: `d-${index}@example.org` }));
    sink.misbehave('data', { code: 552, text: '5.3.4 Message size exceeds fixed limit' }, { ...refused, times: 1 });
    sink.misbehave('data', { code: 554, text: '5.7.1 Message refused: virus found' }, { ...virus, times: 1 });
    sink.misbehave('data', { code: 550, text: '5.7.1 Listed by zen.spamhaus.org' }, { ...spam, times: 1 });
    await sender.batch();
    const sentence =
      /^Servers refuse the content of step 1 \(2 emails so far\), for example: 55[24] 5\..+\. Change the step; its emails are then sent again\.$/;
    const { reasons, notes } = await explainCampaign(app, caller, sender.campaignId);
    expect([...reasons, ...notes]).toContainEqual(expect.stringMatching(sentence));
    const told = async () => (await checkCampaign(app, caller, sender.campaignId)).filter(({ code }) => code === 'content_refused');
    expect(await told()).toMatchObject([
      { step_order: 1, contacts: 2, is_blocking: false, message: expect.stringMatching(/^step 1: servers refuse/) },
    ]);
    const [step] = await listSteps(app.db, caller, sender.campaignId);
    await changeStep(app, caller, sender.campaignId, step?.id ?? 0, { body_html: '<p>Shorter</p>' });
    installation.clock.advance(11 * 60_000);
    expect((await sender.batch()).sent).toBe(3);
    expect(await told()).toEqual([]);
  });
});

describe('D-5: the metrics', () => {
  it.each([
    ['hard', 'rcpt', 550, '5.1.1 no such user'],
    ['temp', 'rcpt', 450, '4.2.0 Greylisted'],
    ['block', 'data', 554, '5.7.1 blocked using zen.spamhaus.org'],
    ['limit', 'auth', 550, '5.4.5 Daily user sending limit exceeded'],
    ['account', 'auth', 535, '5.7.8 Username and Password not accepted'],
    ['temp', 'auth', 454, '4.7.0 Temporary authentication failure'],
  ] as const)('count a failed attempt by the class of the reply: %s at %s, %i %s', async (kind, phase, code, text) => {
    const failures = async () => {
      const { values } = await sendFailuresTotal.get();
      return Object.fromEntries(values.map(({ labels, value }) => [labels.class, value]));
    };
    const sender = await startSender(installation, sink);
    const before = await failures();
    sink.misbehave(phase, { code, text }, { times: 1 });
    await sender.batch();
    expect(await failures()).toEqual({ ...before, [kind]: (before[kind] ?? 0) + 1 });
  });
});

import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { connectAccount } from '../../src/accounts/index.ts';
import {
  activateCampaign,
  addStep,
  archiveCampaign,
  changeCampaign,
  changeStep,
  closeCall,
  deleteAccount,
  deleteCampaign,
  deleteStep,
  listCalls,
  listSteps,
  openDueCalls,
  pauseAccount,
  pauseCampaign,
  resumeAccount,
} from '../../src/campaigns/index.ts';
import { DAY, MINUTE } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { parseMailUrl } from '../../src/mail/mail-url.ts';
import { rowOf } from '../support/rows.ts';
import { batchesOf, enrolmentsOf, type Sender, sendingInstallation, startSender } from '../support/sender.ts';
import type { SinkMessage } from '../support/smtp-sink.ts';

const { installation, sink } = await sendingInstallation({ baseUrl: 'https://links.example.com' });

const header = (message: SinkMessage | undefined, name: string) => message?.headers.get(name.toLowerCase()) ?? null;
const sentTo = (address: string) => sink.messages.filter(({ to }) => to[0] === address);
const later = (days: number) => installation.clock.advance(days * DAY);

/** Makes the next batch due now. */
async function send(sender: Pick<Sender, 'batch'>): Promise<number> {
  installation.clock.advance(11 * MINUTE);
  return (await sender.batch()).sent;
}

describe('the emails of one contact', () => {
  it('are one thread: Re: the subject as it was sent, In-Reply-To the last, References all, from one account', async () => {
    const sender = await startSender(installation, sink, {
      steps: [
        { subject: 'Hello {{name}}' },
        { subject: 'ignored', wait_days: 1, body_html: '<p>Two</p>' },
        { wait_days: 1, body_html: '<p>Three</p>' },
      ],
      contacts: [{ name: 'Ada', email: 'thread@example.org' }],
    });
    await send(sender);
    await installation.app.db.query(sql`update contacts set name = 'Renamed' where id = ${sender.contactIds[0]}`);
    for (let step = 2; step <= 3; step++) {
      later(1);
      expect(await send(sender)).toBe(1);
    }
    const [one, two, three] = sink.messages;
    expect([one, two, three].map((mail) => header(mail, 'Subject'))).toEqual(['Hello Ada', 'Re: Hello Ada', 'Re: Hello Ada']);
    const ids = [one, two, three].map((mail) => header(mail, 'Message-ID'));
    expect(new Set(ids).size).toBe(3);
    expect([header(one, 'In-Reply-To'), header(one, 'References')]).toEqual([null, null]);
    expect([header(two, 'In-Reply-To'), header(three, 'In-Reply-To')]).toEqual([ids[0], ids[1]]);
    expect(header(three, 'References')).toBe(`${ids[0]} ${ids[1]}`);
    expect(new Set(sink.messages.map(({ from }) => from)).size).toBe(1);
  });

  it('thread by the Message-ID that the provider substituted for ours, with both in References', async () => {
    const sender = await startSender(installation, sink, { steps: [{}, { wait_days: 1 }], contacts: [{ email: 'ses@example.org' }] });
    await send(sender);
    await installation.app.db.query(
      sql`update outbox set provider_message_id = '<010f@eu-west-1.amazonses.com>' where campaign_id = ${sender.campaignId}`,
    );
    later(1);
    await send(sender);
    const [one, two] = sink.messages;
    expect(header(two, 'In-Reply-To')).toBe('<010f@eu-west-1.amazonses.com>');
    expect(header(two, 'References')).toBe(`${header(one, 'Message-ID')} <010f@eu-west-1.amazonses.com>`);
  });

  it('stay with their first account when the campaign gets another, which new contacts start with', async () => {
    const { app, caller } = installation;
    const old = await startSender(installation, sink, {
      account: { send_batch_min: 1, send_batch_max: 1 },
      steps: [{}, { wait_days: 1 }],
      contacts: [{ email: 'begun@example.org' }, { email: 'fresh@example.org' }],
    });
    expect(await send(old)).toBe(1);
    const other = await startSender(installation, sink, { contacts: [{ email: 'own@example.org' }] });
    await changeCampaign(app, caller, old.campaignId, { account_id: other.accountId });
    expect(await send(other)).toBe(2);
    later(1);
    await send(old);
    await send(other);
    const senders = (address: string) => sentTo(address).map(({ from }) => from);
    const [first] = senders('begun@example.org');
    expect(senders('begun@example.org')).toEqual([first, first]);
    expect(senders('fresh@example.org')).toEqual([sentTo('own@example.org')[0]?.from, sentTo('own@example.org')[0]?.from]);
  });

  it('continue from the campaign’s new account in a new thread when the old one is gone', async () => {
    const { app, caller } = installation;
    const old = await startSender(installation, sink, {
      steps: [{ subject: 'Hi' }, { wait_days: 1 }],
      contacts: [{ email: 'moved@example.org' }],
    });
    await send(old);
    const other = await startSender(installation, sink);
    await deleteAccount(app, caller, old.accountId);
    await changeCampaign(app, caller, old.campaignId, { account_id: other.accountId });
    await activateCampaign(app, caller, old.campaignId, null);
    later(1);
    await send(other);
    const [, second] = sentTo('moved@example.org');
    expect(header(second, 'Subject')).toBe('Hi');
    expect(header(second, 'In-Reply-To')).toBeNull();
  });

  it('continue their thread from a mailbox that was deleted and connected again', async () => {
    const { app, caller } = installation;
    const old = await startSender(installation, sink, {
      steps: [{ subject: 'Hi' }, { wait_days: 1 }],
      contacts: [{ email: 'again@example.org' }],
    });
    await send(old);
    const { email } = await rowOf<{ email: string }>(app, 'accounts', old.accountId);
    await deleteAccount(app, caller, old.accountId);
    const again = await connectAccount(app, caller, {
      email: email.toUpperCase().replace('EXAMPLE', 'example'),
      provider: 'smtp',
      smtp: { server: parseMailUrl(`smtp://me@127.0.0.1:${sink.port}`, 'smtp').server, secret: { pass: 'secret' } },
    });
    expect(again.id).not.toBe(old.accountId);
    await changeCampaign(app, caller, old.campaignId, { account_id: again.id });
    await activateCampaign(app, caller, old.campaignId, null);
    later(1);
    expect((await batchesOf(app).run(again.id)).sent).toBe(1);
    const [first, second] = sentTo('again@example.org');
    expect(header(second, 'Subject')).toBe('Re: Hi');
    expect(header(second, 'In-Reply-To')).toBe(header(first, 'Message-ID'));
  });
});

describe('steps that change while the campaign is active', () => {
  const running = (contacts: string) =>
    startSender(installation, sink, {
      steps: [{ subject: 'One' }, { wait_days: 2, body_html: '<p>Two</p>' }, { wait_days: 2, body_html: '<p>Three</p>' }],
      contacts: [{ email: `${contacts}@example.org` }],
    });

  it('a changed text applies to the next emails; those already sent stay as they were', async () => {
    const { app, caller } = installation;
    const sender = await running('edited');
    await send(sender);
    const steps = await listSteps(app.db, caller, sender.campaignId);
    await changeStep(app, caller, sender.campaignId, steps[1]?.id ?? 0, { body_html: '<p>Changed</p>' });
    later(2);
    await send(sender);
    expect(sink.messages[1]?.raw.toString()).toContain('Changed');
  });

  it('contacts on a deleted step continue with the next; the steps are renumbered', async () => {
    const { app, caller } = installation;
    const sender = await running('deleted');
    await send(sender);
    const steps = await listSteps(app.db, caller, sender.campaignId);
    await deleteStep(app, caller, sender.campaignId, steps[1]?.id ?? 0);
    expect((await listSteps(app.db, caller, sender.campaignId)).map(({ step_order }) => step_order)).toEqual([1, 2]);
    later(2);
    expect(await send(sender)).toBe(1);
    expect(sink.messages[1]?.raw.toString()).toContain('Three');
    expect(await enrolmentsOf(installation, sender.campaignId)).toMatchObject([{ status: 'completed' }]);
  });

  it('a changed wait counts from the previous email, not from the change', async () => {
    const { app, caller } = installation;
    const sender = await running('wait');
    await send(sender);
    later(3);
    const steps = await listSteps(app.db, caller, sender.campaignId);
    await changeStep(app, caller, sender.campaignId, steps[1]?.id ?? 0, { wait_days: 6 });
    expect(await send(sender)).toBe(0);
    later(3);
    expect(await send(sender)).toBe(1);
  });

  it('a call step waits until it is done; then the wait of the next step starts', async () => {
    const { app, caller } = installation;
    const sender = await startSender(installation, sink, {
      steps: [{}, { kind: 'call', wait_days: 1, body_html: 'Ring {{name}}' }, { wait_days: 2, body_html: '<p>After</p>' }],
      contacts: [{ email: 'call@example.org' }],
    });
    await send(sender);
    later(1);
    installation.clock.advance(MINUTE);
    await openDueCalls(app);
    later(6);
    expect(await send(sender)).toBe(0);
    const {
      data: [call],
    } = await listCalls(app.db, caller, { all: false }, { limit: 200, offset: 0 });
    await closeCall(app, caller, call?.id ?? 0, { outcome: 'done', note: null });
    expect(await send(sender)).toBe(0);
    later(2);
    expect(await send(sender)).toBe(1);
  });

  it('a step added to a running campaign is not for those who completed it', async () => {
    const { app, caller } = installation;
    const sender = await startSender(installation, sink, { contacts: [{ email: 'late@example.org' }] });
    await send(sender);
    await addStep(app, caller, sender.campaignId, {
      subject: '',
      body_html: '<p>New</p>',
      subject_b: null,
      body_html_b: null,
      wait_days: 0,
      kind: 'email',
    });
    later(1);
    expect(await send(sender)).toBe(0);
  });
});

describe('a stop takes effect before the next email, even in the middle of a batch', () => {
  type Stop = (sender: Sender) => Promise<unknown>;
  it.each<[string, Stop]>([
    ['pausing the campaign', ({ campaignId }) => pauseCampaign(installation.app, installation.caller, campaignId)],
    ['archiving the campaign', ({ campaignId }) => archiveCampaign(installation.app, installation.caller, campaignId)],
    ['deleting the campaign', ({ campaignId }) => deleteCampaign(installation.app, installation.caller, campaignId)],
    ['pausing the account', ({ accountId }) => pauseAccount(installation.app, installation.caller, accountId)],
    ['deleting the account', ({ accountId }) => deleteAccount(installation.app, installation.caller, accountId)],
  ])('%s', async (name, stop) => {
    const sender = await startSender(installation, sink, {
      account: { gap_min_seconds: 1, gap_max_seconds: 1 },
      contacts: Array.from({ length: 4 }, (_, index) => ({ email: `${name.replaceAll(' ', '-')}-${index}@example.org` })),
    });
    const batch = sender.batch();
    await sink.waitFor(1);
    await stop(sender);
    // One email may have been permitted before the stop was committed, none afterwards.
    const permitted = await installation.app.db.query(
      sql`select 1 from outbox where campaign_id = ${sender.campaignId} and state in ('transmitting', 'accepted')`,
    );
    await batch;
    expect(sink.messages.length).toBe(permitted.length);
    expect(sink.messages.length).toBeLessThan(4);
    expect((await enrolmentsOf(installation, sender.campaignId)).filter(({ status }) => status === 'active').length).toBe(
      4 - sink.messages.length,
    );
  });

  it('a resume causes no burst: emails that became due meanwhile are sent by batches and limits', async () => {
    const { app, caller } = installation;
    const sender = await startSender(installation, sink, {
      account: { send_batch_min: 2, send_batch_max: 2, daily_send_limit: 3 },
      contacts: Array.from({ length: 9 }, (_, index) => ({ email: `burst-${index}@example.org` })),
    });
    await pauseAccount(app, caller, sender.accountId);
    later(6);
    await resumeAccount(app, caller, sender.accountId);
    expect([await send(sender), await send(sender), await send(sender)]).toEqual([2, 1, 0]);
    later(1);
    expect(await send(sender)).toBe(2);
  });
});

describe('A/B', () => {
  it('splits by an exact quota, and each keeps its group: subject and body of B go to B alone, A’s where B has none', async () => {
    const sender = await startSender(installation, sink, {
      campaign: { ab_test_enabled: true, ab_split_percent: 30 },
      steps: [
        { subject: 'A?', subject_b: 'B?', body_html: '<p>a1</p>', body_html_b: '<p>b1</p>' },
        { body_html: '<p>both2</p>', wait_days: 1 },
      ],
      contacts: Array.from({ length: 10 }, (_, index) => ({ email: `ab-${index}@example.org` })),
    });
    await send(sender);
    later(1);
    await send(sender);
    const rows = await enrolmentsOf(installation, sender.campaignId);
    expect(rows.filter(({ variant }) => variant === 'A')).toHaveLength(3);
    for (const [index, { variant }] of rows.entries()) {
      const [one, two] = sentTo(`ab-${index}@example.org`);
      expect(header(one, 'Subject')).toBe(`${variant}?`);
      expect(one?.raw.toString()).toContain(variant === 'A' ? '<p>a1</p>' : '<p>b1</p>');
      expect(header(two, 'Subject')).toBe(`Re: ${variant}?`);
      expect(two?.raw.toString()).toContain('both2');
    }
  });
});

describe('an email on the wire', () => {
  it('has its one-click unsubscribe, Date and Message-ID in the sender’s domain, a text beside the HTML, clean lines', async () => {
    const long = 'Ärger und Größe '.repeat(28).trim();
    const sender = await startSender(installation, sink, {
      account: { from_name: 'Zoë "Z" Müller, Vertrieb', timezone: 'America/New_York', send_window_start_hour: 0, send_window_end_hour: 24 },
      steps: [{ subject: long, body_html: `<p>${'x'.repeat(3_000)}</p>\n.\n..\r<p>Ünï</p>` }],
      contacts: [{ name: 'Jörg, "der" Große', email: 'jo@bücher.example' }],
    });
    await send(sender);
    const [mail] = sink.messages;
    const raw = mail?.raw.toString('latin1') ?? '';
    expect(/[^\r]\n|\r[^\n]/.test(raw)).toBe(false);
    const [head = '', body = ''] = raw.split(/\r\n\r\n(.*)/s);
    for (const line of head.split('\r\n')) expect(line.length, line).toBeLessThanOrEqual(78);
    for (const line of body.split('\r\n')) expect(line.length).toBeLessThanOrEqual(998);
    // Pure ASCII, so that no server needs 8BITMIME.
    expect(/[^\0-\x7f]/.test(raw)).toBe(false);
    for (const word of head.match(/=\?[^?]+\?[^?]+\?[^?]*\?=/g) ?? []) expect(word.length).toBeLessThanOrEqual(75);
    for (const name of ['From', 'To', 'Subject', 'Date', 'Message-ID', 'MIME-Version', 'List-Unsubscribe', 'List-Unsubscribe-Post'])
      expect(head.match(new RegExp(`^${name}:`, 'gm')), name).toHaveLength(1);
    expect(header(mail, 'Message-ID')).toMatch(/^<[a-z2-7]{26}@example\.com>$/);
    expect(header(mail, 'Date')).toBe('Tue, 07 Jul 2026 08:11:00 -0400');
    // The sender's mailbox is not read, so there is no mailto link (D2.9); one-click needs only the https link (RFC 8058 §3.1).
    expect(header(mail, 'List-Unsubscribe')).toMatch(/^<https:\/\/links\.example\.com\/[^>]+>$/);
    expect(header(mail, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
    // List-Id, Precedence and Auto-Submitted mark lists and programs (U-10); they would suppress out-of-office messages.
    expect(head).not.toMatch(/^(Bcc|Cc|X-Mailer|Precedence|Return-Path|List-Id|Auto-Submitted):/im);
    const parsed = await new PostalMime().parse(mail?.raw ?? '');
    expect(parsed.subject).toBe(long);
    expect(parsed.from?.name).toBe('Zoë "Z" Müller, Vertrieb');
    expect(parsed.to?.[0]?.name).toBe('Jörg, "der" Große');
    expect(parsed.text).toContain('Ünï');
    expect(raw).toMatch(/^Content-Type: multipart\/alternative;/m);
  });
});

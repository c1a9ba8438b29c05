import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/core/clock.ts';
import { type Daemon, startDaemon } from '../../src/main/daemon.ts';
import { type ApiClient, apiClient } from '../support/api-client.ts';
import { cliOf } from '../support/cli.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { type ImapServer, startImapServer } from '../support/imap-server.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import { waitUntil } from '../support/wait-until.ts';

const SENDER = 'zoe@example.com';
const PASSWORD = 'correct horse';

let installation: TestInstallation;
let daemon: Daemon;
let api: ApiClient;
let smtp: SmtpSink;
let imap: ImapServer;

beforeAll(async () => {
  installation = await testInstallation({ tickSeconds: 0.2, pollIntervalSeconds: 60 });
  // Commands run as processes of their own, by the real clock: this one begins where that is, and is moved forward only.
  installation.clock.set(new Date());
  smtp = await startSmtpSink({ users: { [SENDER]: PASSWORD } });
  imap = await startImapServer({ users: { [SENDER]: PASSWORD } });
  daemon = await startDaemon(installation.app, { databaseUrl: installation.databaseUrl });
  api = apiClient(daemon.url ?? '', installation.adminKey);
});

afterAll(async () => {
  await daemon?.stop();
  await smtp?.close();
  await imap?.close();
});

const read = (raw: Buffer | string) => new PostalMime().parse(raw);
const mailsTo = (address: string) => smtp.messages.filter((message) => message.to.includes(address));
const enrolments = async (campaign: number) => (await api.get(`/campaigns/${campaign}/contacts`)).body.data;

/** Moves the clock to when the account's next batch is due, as often as it takes, until the mails are there. */
async function advanceUntil(what: string, done: () => boolean): Promise<void> {
  for (let step = 0; step < 50 && !done(); step++) {
    const { rows } = await installation.app.db.pool.query('select next_batch_at from accounts');
    const next = new Date(rows[0].next_batch_at ?? Number.NaN).getTime();
    if (next > installation.clock.now().getTime()) installation.clock.set(new Date(next));
    await waitUntil(`the batch of ${installation.clock.now().toISOString()} is over`, async () => {
      const due = await installation.app.db.pool.query('select 1 from accounts where next_batch_at <= $1 or batch_worker is not null', [
        installation.clock.now(),
      ]);
      return due.rows.length === 0;
    });
  }
  if (!done()) throw new Error(`after 50 batches still not: ${what}`);
}

describe('the whole way', () => {
  it('connects, sends three steps in one thread, ends the sequence of who replied, and completes', async () => {
    const user = encodeURIComponent(SENDER);
    const connected = await cliOf(installation)(
      [
        ...[
          'account',
          'connect',
          SENDER,
          '--from-name',
          'Zoë',
          '--batch-min',
          '5',
          '--batch-max',
          '5',
          '--window-start',
          '0',
          '--window-end',
          '24',
          '--json',
        ],
        ...['--smtp-url', `smtp://${user}@127.0.0.1:${smtp.port}`, '--imap-url', `imap://${user}@127.0.0.1:${imap.port}`],
      ],
      { env: { OUTREACH_SMTP_PASSWORD: PASSWORD, OUTREACH_IMAP_PASSWORD: PASSWORD } },
    );
    expect(connected).toMatchObject({ status: 0 });
    const account = connected.json();
    expect(account).toMatchObject({ email: SENDER, status: 'active', pause_reason: null });

    await api.post('/custom-fields', { name: 'Favourite colour' });
    const list = (await api.post('/lists', { name: 'Newcomers' })).body;
    for (const [name, colour] of [
      ['Ada', 'red'],
      ['Bob', 'green'],
      ['Cleo', ''],
    ]) {
      const contact = await api.post('/contacts', {
        email: `${name?.toLowerCase()}@example.org`,
        name,
        company: 'Acme & Sons',
        custom_fields: colour ? { favourite_colour: colour } : {},
        list_ids: [list.id],
      });
      expect(contact.status).toBe(201);
    }
    const campaign = (await api.post('/campaigns', { name: 'Hello', account_id: account.id })).body;
    await api.patch(`/campaigns/${campaign.id}`, { sending_days: [1, 2, 3, 4, 5, 6, 7], sending_hour_start: 0, sending_hour_end: 24 });
    const steps = [
      { subject: 'A question, {{name}}', body_html: '<p>Dear {{name}} of {{company}}, is it {{favourite_colour|blue}}?</p>' },
      { body_html: '<p>Did you see my mail, {{name}}?</p>', wait_days: 2 },
      { body_html: '<p>Last one, {{name}}.</p>', wait_days: 3 },
    ];
    for (const step of steps) expect((await api.post(`/campaigns/${campaign.id}/steps`, step)).status).toBe(201);
    expect((await api.post(`/campaigns/${campaign.id}/contacts`, { list_ids: [list.id] })).body).toEqual({ enrolled: 3 });
    const activated = await api.post(`/campaigns/${campaign.id}/activate`);
    expect(activated.body).toMatchObject({ status: 'active', reply_to_connected: true, contact_count: 3, step_count: 3 });

    // Step 1 goes to everybody, merged.
    await smtp.waitFor(3);
    const first = await read(mailsTo('ada@example.org')[0]?.raw ?? '');
    expect(first).toMatchObject({ subject: 'A question, Ada', from: { address: SENDER, name: 'Zoë' } });
    expect(first.html).toContain('Dear Ada of Acme &amp; Sons, is it red?');
    expect((await read(mailsTo('cleo@example.org')[0]?.raw ?? '')).html).toContain('is it blue?');
    await waitUntil('all three have moved to step 2', async () =>
      (await enrolments(campaign.id)).every((row: { current_step: number }) => row.current_step === 2),
    );
    const expected = new Date(installation.clock.now().getTime() + 2 * DAY);
    for (const row of await enrolments(campaign.id)) {
      expect(row).toMatchObject({ status: 'active', current_step: 2 });
      expect(new Date(`${row.next_send_at}Z`).getTime()).toBeGreaterThanOrEqual(expected.getTime() - SECOND);
      expect(new Date(`${row.next_send_at}Z`).getTime()).toBeLessThan(expected.getTime() + HOUR);
    }
    expect((await api.get(`/campaigns/${campaign.id}/stats`)).body).toEqual({
      contacts: 3,
      steps: 3,
      sent: 3,
      opened: 0,
      clicked: 0,
      replied: 0,
      bounced: 0,
      failed: 0,
    });

    // Ada replies; her sequence ends, the others' goes on in the same thread.
    await imap.append(
      SENDER,
      'INBOX',
      [
        `From: Ada <ada@example.org>`,
        `To: ${SENDER}`,
        `Subject: Re: A question, Ada`,
        `Message-ID: <reply-1@example.org>`,
        `In-Reply-To: ${first.messageId}`,
        `References: ${first.messageId}`,
        `Date: ${new Date().toUTCString()}`,
        'Content-Type: text/plain; charset=utf-8',
        '',
        'It is purple, thank you for asking. When can we talk?',
        '',
      ].join('\r\n'),
    );
    installation.clock.advance(2 * MINUTE);
    await waitUntil('the reply ends the sequence', async () =>
      (await enrolments(campaign.id)).some(
        (row: { status: string; email: string }) => row.email === 'ada@example.org' && row.status === 'replied',
      ),
    );

    await advanceUntil('the first follow-ups', () => smtp.messages.length >= 5);
    expect(mailsTo('ada@example.org')).toHaveLength(1);
    const bobs = await Promise.all(mailsTo('bob@example.org').map((message) => read(message.raw)));
    expect(bobs[1]).toMatchObject({ subject: 'Re: A question, Bob', inReplyTo: bobs[0]?.messageId, references: bobs[0]?.messageId });

    await advanceUntil('the last follow-ups', () => smtp.messages.length >= 7);
    const last = await read(mailsTo('bob@example.org')[2]?.raw ?? '');
    expect(last).toMatchObject({
      subject: 'Re: A question, Bob',
      inReplyTo: bobs[1]?.messageId,
      references: `${bobs[0]?.messageId} ${bobs[1]?.messageId}`,
    });

    await waitUntil('the campaign completes', async () => (await api.get(`/campaigns/${campaign.id}`)).body.status === 'completed');
    expect(smtp.messages).toHaveLength(7);
    expect((await api.get(`/campaigns/${campaign.id}/stats`)).body).toMatchObject({ sent: 7, replied: 1, bounced: 0, failed: 0 });
    const events = (await api.get(`/events?campaign_id=${campaign.id}`)).body;
    expect(events.pagination.total).toBe(3 + 7 + 1);
    expect(events.data.filter((event: { type: string }) => event.type === 'replied')).toEqual([
      expect.objectContaining({ campaign_id: campaign.id, step_order: 1, url: null }),
    ]);
  }, 120_000);
});

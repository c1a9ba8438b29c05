import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import { operator } from '../src/access/index.ts';
import { connectAccount } from '../src/accounts/index.ts';
import type { App } from '../src/app.ts';
import { activateCampaign, addStep, changeCampaign, createCampaign, enrol } from '../src/campaigns/index.ts';
import { ManualClock, MINUTE } from '../src/clock.ts';
import { sql } from '../src/db.ts';
import { timetable } from '../src/jobs/timetable.ts';
import { benchInstallation } from './installation.ts';
import type { Measurement } from './measure.ts';
import { seedContacts } from './seed.ts';
import { startSink } from './sink.ts';

/** Mailboxes that send at the same time, and connections of the bare pool. */
const ACCOUNTS = 10;
/** Mails of one batch of one mailbox, and batches of each a turn. */
const BATCH = 200;
const BATCHES = 2;
const MAILS = ACCOUNTS * BATCH * BATCHES;

const SUBJECT = 'A question about {{company}}';
const BODY = `<p>Hello {{name|there}},</p>${'<p>We help companies like {{company}} to answer their mail sooner, and would like to hear how you do it today.</p>'.repeat(6)}<p>Could we talk on Thursday? <a href="https://example.com/book">Choose a time</a>.</p>`;

const caller = operator(1, 1);

/**
 * Mails a second through the full path (plan, claim, write, permit, transmit, record with event and counters) against
 * bare nodemailer with as many pooled connections to the same sink.
 */
export const sendRow: Measurement = {
  name: 'send',
  unit: 'mails/s',
  rounds: 3,
  async prepare() {
    const sink = await startSink();
    await accepting(sink.port);
    // A Tuesday at noon, in every window; moved on by a batch interval after each batch instead of waiting for it.
    const clock = new ManualClock('2026-07-07T12:00:00Z');
    const installation = await benchInstallation({ clock });
    const { app } = installation;
    const accounts = await connectAccounts(app, sink.port);
    let turn = 0;
    const turns = await Promise.all(Array.from({ length: 3 }, () => prepareTurn(app, accounts, turn++)));
    return {
      ours: () => sendTurn(app, clock, accounts, turns.pop() ?? []),
      ceiling: () => sendBare(sink.port),
      async close() {
        await installation.remove();
        await sink.stop();
      },
    };
  },
};

async function connectAccounts(app: App, port: number): Promise<number[]> {
  const server = { host: '127.0.0.1', port, secure: false, tls: 'off', user: null } as const;
  const settings = { send_batch_min: BATCH, send_batch_max: BATCH, send_batch_interval_minutes: 1, daily_send_limit: 1_000_000 };
  const ids: number[] = [];
  for (let index = 1; index <= ACCOUNTS; index++) {
    const email = `sender-${index}@example.com`;
    ids.push((await connectAccount(app, caller, { email, provider: 'smtp', smtp: { server, secret: {} }, settings })).id);
  }
  return ids;
}

/** A campaign for each mailbox with everybody enrolled, ready to be activated when its turn comes. */
async function prepareTurn(app: App, accounts: readonly number[], turn: number): Promise<number[]> {
  const prefix = `turn-${turn}`;
  await seedContacts(app.db, MAILS, prefix);
  const contacts = await app.db.query<{ id: number }>(sql`select id from contacts where email like ${`${prefix}-%`} order by id`);
  const campaigns: number[] = [];
  for (const [index, accountId] of accounts.entries()) {
    const { id } = await createCampaign(app, caller, { name: `${prefix} ${index}`, account_id: accountId });
    await changeCampaign(app, caller, id, { sending_days: [1, 2, 3, 4, 5, 6, 7], sending_hour_start: 0, sending_hour_end: 24 });
    await addStep(app, caller, id, { subject: SUBJECT, body_html: BODY, subject_b: null, body_html_b: null, wait_days: 0, kind: 'email' });
    const share = contacts.slice((index * MAILS) / ACCOUNTS, ((index + 1) * MAILS) / ACCOUNTS);
    await enrol(app, caller, id, { contact_ids: share.map((contact) => contact.id) });
    campaigns.push(id);
  }
  return campaigns;
}

async function sendTurn(app: App, clock: ManualClock, accounts: readonly number[], campaigns: readonly number[]): Promise<number> {
  for (const id of campaigns) await activateCampaign(app, caller, id, null);
  const sendBatch = timetable(app).perAccount.find((job) => job.name === 'send batch');
  if (sendBatch === undefined) throw new Error('the timetable has no job "send batch"');
  const { signal } = new AbortController();
  const begin = performance.now();
  for (let batch = 0; batch < BATCHES; batch++) {
    await Promise.all(accounts.map((id) => sendBatch.run(app, id, signal)));
    clock.advance(MINUTE);
  }
  const seconds = (performance.now() - begin) / 1_000;
  const [sent] = await app.db.query<{ count: number }>(
    sql`select count(*)::int as count from outbox where campaign_id = any(${campaigns}::int[]) and state = 'accepted'`,
  );
  if (sent?.count !== MAILS) throw new Error(`${sent?.count} of ${MAILS} mails were sent`);
  return MAILS / seconds;
}

async function sendBare(port: number): Promise<number> {
  const transport = createTransport({
    pool: true,
    host: '127.0.0.1',
    port,
    ignoreTLS: true,
    maxConnections: ACCOUNTS,
    maxMessages: Number.POSITIVE_INFINITY,
  });
  const html = BODY.replaceAll(/\{\{(\w+)[^}]*\}\}/g, '$1');
  const text = html.replaceAll(/<[^>]+>/g, ' ');
  const begin = performance.now();
  const send = async (index: number) =>
    transport.sendMail({ from: 'sender@example.com', to: `contact-${index}@example.com`, subject: SUBJECT, html, text });
  await Promise.all(Array.from({ length: MAILS }, (_, index) => send(index)));
  const seconds = (performance.now() - begin) / 1_000;
  transport.close();
  return MAILS / seconds;
}

async function accepting(port: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const socket = connect(port, '127.0.0.1');
    const isUp = await Promise.race([once(socket, 'connect').then(() => true), once(socket, 'error').then(() => false)]).catch(() => false);
    socket.destroy();
    if (isUp) return;
    await wait(50);
  }
  throw new Error(`no sink at port ${port}`);
}

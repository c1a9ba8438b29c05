import { cleanup, render } from 'ink-testing-library';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Daemon, startDaemon } from '../../src/daemon.ts';
import { Dashboard } from '../../src/dashboard/app.tsx';
import { apiOf, openStream } from '../../src/dashboard/connection.ts';
import { DashboardStore } from '../../src/dashboard/store.ts';
import { recordEvents } from '../../src/events/index.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { member } from '../support/people.ts';
import {
  type Enrolled,
  eventOf,
  insertAccount,
  insertCampaign,
  insertContact,
  insertEnrolment,
  insertRow,
  rowOf,
} from '../support/rows.ts';
import { waitUntil } from '../support/wait-until.ts';

const ENTER = '\r';
const ESCAPE = '\u001b';
const DOWN = '\u001b[B';
const TAB = '\t';

let installation: TestInstallation;
let daemon: Daemon;
let account: number;
let spring: number;
let ada: Enrolled;
const streams: { close(): void }[] = [];

beforeAll(async () => {
  installation = await testInstallation();
  const { app } = installation;
  daemon = await startDaemon(app, { worker: false, databaseUrl: installation.databaseUrl });
  account = await insertAccount(app, { email: 'zoe@example.com', daily_send_limit: 50 });
  await insertAccount(app, {
    email: 'stopped@example.com',
    status: 'paused',
    pause_reason: 'provider_error',
    pause_message: '535 5.7.8 login refused',
  });
  const today = app.clock.now().toISOString().slice(0, 10);
  await app.db.pool.query('insert into account_days (account_id, day, accepted) values ($1, $2, 20)', [account, today]);
  spring = await insertCampaign(app, { name: 'Spring', account_id: account, ab_test_enabled: true }, [
    { subject: 'A question', subject_b: 'A request' },
    { subject: 'Once more', wait_days: 3 },
  ]);
  await insertCampaign(app, { name: 'Autumn', account_id: account, status: 'draft' });
  const due = { due_at: app.clock.now() };
  const contact = await insertContact(app, { name: 'Ada', email: 'ada@example.org', company: 'Acme' });
  ada = await insertEnrolment(app, spring, { contact_id: contact, variant: 'A', ...due });
  await insertEnrolment(app, spring, { variant: 'B', opened_at: app.clock.now(), ...due });
  await app.db.pool.query('update campaign_stats set contacts = 2, opened = 1 where campaign_id = $1', [spring]);
});
afterEach(() => {
  cleanup();
  for (const stream of streams.splice(0)) stream.close();
});
afterAll(() => daemon?.stop());

/** The dashboard with a key of its own, against the real daemon; `press` gives it keys, `sees` waits for a text. */
async function open(key = installation.adminKey) {
  const api = apiOf({ url: daemon.url ?? '', key });
  const store = new DashboardStore();
  streams.push(openStream(api, store), store);
  const screen = render(<Dashboard store={store} api={api} />);
  const frame = () => screen.lastFrame() ?? '';
  const sees = (...texts: string[]) =>
    waitUntil(`on the screen: ${texts.join(', ')}`, () => texts.every((text) => frame().includes(text))).catch((error: Error) => {
      throw new Error(`${error.message}\n${frame()}`);
    });
  await sees('● live', 'Spring');
  return { frame, sees, press: (keys: string) => screen.stdin.write(keys) };
}

const statusOf = async (table: 'campaigns' | 'accounts' | 'call_tasks', id: number) =>
  (await rowOf<{ status: string }>(installation.app, table, id)).status;

const lineWith = (frame: string, text: string) => frame.split('\n').find((line) => line.includes(text)) ?? '';

describe('each view', () => {
  it('campaigns: status, bar, rates and next send, the active ones first', async () => {
    const { frame } = await open();
    expect(lineWith(frame(), 'Spring')).toMatch(/▸Spring +active +░{8} 0 % +0 +50 % +0 % +0 % +0 % +now/);
    expect(frame().indexOf('Spring')).toBeLessThan(frame().indexOf('Autumn'));
  });

  it("accounts: the day's use, the window, and why one stands still; that one first", async () => {
    const { frame, press, sees } = await open();
    press('2');
    await sees('stopped by an error of the provider (535 5.7.8 login refused)');
    expect(lineWith(frame(), 'zoe@')).toMatch(/active +██▍░░░ 20\/50 +open/);
    expect(frame().indexOf('stopped@')).toBeLessThan(frame().indexOf('zoe@'));
  });

  it('events and replies as they arrive, a reply with its words', async () => {
    const { press, sees } = await open();
    press('3');
    await sees('Time (UTC)');
    await installation.app.db.tx((tx) =>
      recordEvents(tx, [
        eventOf(installation.app, ada, 'sent'),
        eventOf(installation.app, ada, 'replied', { details: { snippet: 'Call me\u001b[31m on Monday' } }),
      ]),
    );
    await sees('sent', 'replied', 'ada@example.org');
    press('4');
    // What a stranger wrote can't reach the terminal as a control sequence.
    await sees('Call me [31m on Monday', 'Ada in "Spring"');
  });

  it('an opened campaign: why, variants side by side, steps with both subjects, the next mails', async () => {
    const { frame, press, sees } = await open();
    press(ENTER);
    await sees('Variant', 'Subject (A)', 'A question', 'A request', 'Next mails', 'ada@example.org');
    expect(frame()).toMatch(/A +1 +0 +0 %/);
    expect(frame()).toMatch(/B +1 +1 +100 %/);
    press(ESCAPE);
    await sees('Next send');
  });

  it('a draft says what it waits for', async () => {
    const { press, sees } = await open();
    press(DOWN);
    await sees('▸Autumn');
    press(ENTER);
    await sees('The campaign is a draft and lacks an enrolled contact.');
  });
});

describe('keys', () => {
  it('numbers and tab change the view, ? shows every key, q quits', async () => {
    const { press, sees } = await open();
    press(TAB);
    await sees('Mailbox read');
    press('?');
    await sees('an opened campaign', 'drop the filter');
    press('x');
    await sees('Mailbox read');
    press('5');
    await sees('No calls are due.');
  });

  it('/ filters by every word, esc drops the filter', async () => {
    const { frame, press, sees } = await open();
    press('/');
    await sees('filter: ▏');
    press('draft zoe');
    await waitUntil('Spring is filtered out', () => !frame().includes('Spring'));
    expect(frame()).toContain('Autumn');
    press(ENTER);
    await sees('esc drops it');
    press(ESCAPE);
    await sees('Spring');
  });

  it('p and r pause and resume after a confirmation, and nothing happens without one', async () => {
    const { press, sees } = await open();
    press('p');
    await sees('Pause the campaign "Spring"?', 'y/n');
    press('n');
    await sees('⏎ open');
    expect(await statusOf('campaigns', spring)).toBe('active');
    press('p');
    await sees('y/n');
    press('y');
    await sees('"Spring" is paused');
    expect(await statusOf('campaigns', spring)).toBe('paused');
    await sees('Spring                        paused');
    press('r');
    await sees('Resume the campaign "Spring"?');
    press('y');
    await sees('"Spring" is active');
    expect(await statusOf('campaigns', spring)).toBe('active');
  });

  it('keys that come as one text count one after the other', async () => {
    const { press, sees } = await open();
    press('2jpy');
    await sees('zoe@example.com is paused', 'paused by a person');
    expect(await statusOf('accounts', account)).toBe('paused');
    press('r');
    await sees('Resume zoe@example.com');
    press('y');
    await sees('zoe@example.com is active');
    expect(await statusOf('campaigns', spring)).toBe('active');
  });

  it('d and s close a call that is due, in place', async () => {
    const { app } = installation;
    const campaign = await insertCampaign(app, { name: 'Calling', account_id: account }, [
      { kind: 'call', body_html: '<p>Ask about {{company}}</p>' },
    ]);
    const contact = await insertContact(app, { name: 'Bob', email: 'bob@example.org', company: 'Globex' });
    const enrolment = await insertEnrolment(app, campaign, { contact_id: contact });
    const { rows } = await app.db.pool.query('select id from steps where campaign_id = $1', [campaign]);
    const due = { due_at: app.clock.now(), created_at: app.clock.now() };
    const call = await insertRow(app, 'call_tasks', {
      workspace_id: 1,
      campaign_id: campaign,
      enrolment_id: enrolment.id,
      step_id: rows[0].id,
      ...due,
    });
    const { press, sees } = await open();
    press('5');
    await sees('Bob', 'Ask about Globex');
    press('d');
    await sees('Mark the call to Bob (bob@example.org) as done?');
    press('y');
    await sees('the call to Bob is done', 'No calls are due.');
    expect(await statusOf('call_tasks', call)).toBe('done');
  });
});

describe('with the rights of the key', () => {
  it('a view_only key sees, and is told that it can change nothing', async () => {
    const { key } = await member(installation.app, 'view_only');
    const { press, sees } = await open(key);
    press('p');
    await sees('y/n');
    press('y');
    await sees('not done: a view_only key can read but not change anything');
    expect(await statusOf('campaigns', spring)).toBe('active');
  });

  it('says that it is stale once the daemon is gone, and keeps what it knew', async () => {
    const { app, adminKey, databaseUrl } = installation;
    const other = await startDaemon(app, { worker: false, databaseUrl });
    const api = apiOf({ url: other.url ?? '', key: adminKey });
    const store = new DashboardStore();
    streams.push(openStream(api, store), store);
    const screen = render(<Dashboard store={store} api={api} />);
    await waitUntil('it is live', () => screen.lastFrame()?.includes('● live') ?? false);
    await other.stop();
    await waitUntil('it is stale', () => screen.lastFrame()?.includes('STALE') ?? false);
    expect(screen.lastFrame()).toContain('Spring');
  });
});

import { stripVTControlCharacters } from 'node:util';
import { cleanup, render } from 'ink-testing-library';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createRotation } from '../../src/campaigns/index.ts';
import { Dashboard } from '../../src/dashboard/app.tsx';
import { createApi, openStream } from '../../src/dashboard/connection.ts';
import { Header } from '../../src/dashboard/header.tsx';
import { DashboardStore } from '../../src/dashboard/store.ts';
import { recordEvents } from '../../src/events/index.ts';
import { type Daemon, startDaemon } from '../../src/main/daemon.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { member } from '../support/people.ts';
import {
  type Enrolled,
  eventOf,
  insertAccount,
  insertCampaign,
  insertContact,
  insertEnrolment,
  insertLoggedEnrolment,
  insertRow,
  rowOf,
} from '../support/rows.ts';
import { waitUntil } from '../support/wait-until.ts';

const ENTER = '\r';
const ESCAPE = '\u001b';
const DOWN = '\u001b[B';
const TAB = '\t';
const END = '\u001b[F';
const HOME = '\u001b[H';

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
  ada = await insertLoggedEnrolment(app, spring, { contact_id: contact, variant: 'A', ...due });
  const other = await insertLoggedEnrolment(app, spring, { variant: 'B', ...due });
  await app.db.tx((tx) => recordEvents(tx, [eventOf(app, other, 'opened')]));
});
afterEach(() => {
  cleanup();
  for (const stream of streams.splice(0)) stream.close();
});
afterAll(() => daemon?.stop());

/** The dashboard with a key of its own, against the real daemon; `press` gives it keys, `sees` waits for a text. */
async function open(key = installation.adminKey) {
  const api = createApi({ url: daemon.url ?? '', key });
  const store = new DashboardStore();
  streams.push(openStream(api, store), store);
  const screen = render(<Dashboard store={store} api={api} />);
  const frame = () => screen.lastFrame() ?? '';
  const sees = (...texts: string[]) =>
    waitUntil(`on the screen: ${texts.join(', ')}`, () => texts.every((text) => frame().includes(text))).catch((error: Error) => {
      throw new Error(`${error.message}\n${frame()}`);
    });
  await sees('● live', 'Spring');
  const resize = (columns: number, rows: number) => {
    Object.defineProperties(screen.stdout, { columns: { value: columns, configurable: true }, rows: { value: rows, configurable: true } });
    screen.stdout.emit('resize');
  };
  return { frame, sees, resize, press: (keys: string) => screen.stdin.write(keys) };
}

const statusOf = async (table: 'campaigns' | 'accounts' | 'call_tasks', id: number) =>
  (await rowOf<{ status: string }>(installation.app, table, id)).status;

const lineWith = (frame: string, text: string) => frame.split('\n').find((line) => line.includes(text)) ?? '';

describe('each view', () => {
  it('campaigns: status, bar, counts and next send, the active ones first; rates are on the page, "one kind of rate"', async () => {
    const { frame } = await open();
    expect(lineWith(frame(), 'Spring')).toMatch(/▸Spring +● active +░{8} 0% +0 +1 +– +0 +0 +0 +now/);
    expect(frame().indexOf('Spring')).toBeLessThan(frame().indexOf('Autumn'));
  });

  it("accounts: the day's use, the window, and why one stands still; that one first", async () => {
    const { frame, press, sees } = await open();
    press('2');
    await sees('is paused after an error (535 5.7.8 login refused)');
    expect(lineWith(frame(), 'zoe@')).toMatch(/active +██▍░░░ 20\/50 +open/);
    expect(frame().indexOf('stopped@')).toBeLessThan(frame().indexOf('zoe@'));
    const spf = { check: 'spf', state: 'stop', since: '2026-07-07 12:00:00', detail: 'several SPF records', remedy: 'merge them into one' };
    const health = { word: 'stop', since: '2026-07-07 12:00:00', checked_at: '2026-07-07 12:00:00', lists_asked_at: '', checks: [spf] };
    await installation.app.db.pool.query("update accounts set health = $1 where email like 'stopped@%'", [JSON.stringify(health)]);
    press(ENTER);
    await sees('Health', 'stop since 2026-07-07 12:00');
    press('G');
    await sees('several SPF records', 'To fix it: merge them into one.');
  });

  it('calendar: the tables of the command, which scroll', async () => {
    const { frame, press, resize, sees } = await open();
    resize(80, 24);
    const { summary, days, accounts } = await createApi({ url: daemon.url ?? '', key: installation.adminKey }).calendar.read.query({});
    press('6');
    // 7 July 2026 is a Tuesday; 20 emails of the day are sent.
    await sees(summary[0]?.slice(0, 60) ?? '', 'DAY', 'lines 1 to 20 of');
    const [first] = days;
    expect(lineWith(frame(), '2026-07-07')).toMatch(new RegExp(`^2026-07-07 +Tue +${first?.emails} +${first?.free}$`));
    press('G');
    await sees('2026-08-05', ...accounts.map(({ account_email }) => account_email));
    expect(lineWith(frame(), 'zoe@')).toMatch(/^zoe@example\.com +\d+ +[\d,]+$/);
    // From the end it goes up by one line, as from anywhere else.
    const [, total] = /of (\d+)/.exec(frame()) ?? [];
    await sees(`to ${total} of ${total}`);
    press('k');
    await sees(`to ${Number(total) - 1} of ${total}`);
    press('1');
    await sees('[1 Campaigns');
  });

  it('events as they arrive', async () => {
    const { press, sees } = await open();
    press('3');
    await sees('Time (UTC)');
    await installation.app.db.tx((tx) =>
      recordEvents(tx, [eventOf(installation.app, ada, 'sent'), eventOf(installation.app, ada, 'replied')]),
    );
    await sees('sent', 'replied', 'ada@example.org');
  });

  it('an opened campaign: why, variants side by side, steps with both subjects, the next mails', async () => {
    const { frame, press, sees } = await open();
    press(ENTER);
    await sees('Variant', 'Subject (A)', 'A question', 'A request', 'Next emails', 'ada@example.org');
    expect(frame().split('\n').at(-1)).toMatch(/^p pause {2}r resume {2}o set .* q quit$/);
    expect(frame().split('\n').at(-1)?.length).toBeLessThanOrEqual(80);
    expect(frame()).toMatch(/A +1 +(?:–|0\.0% \(0\.0–79\.3\))/);
    expect(frame()).toMatch(/B +1 +–/);
    press(ESCAPE);
    await sees('Next send');
  });

  it('a rotation group is one line with its sums, which opens to its accounts and pauses as one', async () => {
    const { app } = installation;
    const leader = await insertCampaign(app, { name: 'Summer', account_id: account });
    await insertEnrolment(app, leader, { due_at: app.clock.now() });
    const second = await insertAccount(app, { email: 'yann@example.com' });
    const { members } = await createRotation(app, installation.caller, leader, [second]);
    for (const { campaign_id } of members) {
      const some = [await insertLoggedEnrolment(app, campaign_id), await insertLoggedEnrolment(app, campaign_id)] as const;
      const sent = [some[0], some[0], some[1]].map((enrolment, index) => eventOf(app, enrolment, 'sent', { stepOrder: index + 1 }));
      await app.db.tx((tx) => recordEvents(tx, sent));
    }
    const { frame, press, sees } = await open();
    await sees('Summer');
    expect(lineWith(frame(), 'Summer')).toMatch(/Summer +● active .* +6 /);
    expect(frame().split('Time (UTC)')[0]).not.toContain('Summer (yann@example.com)');
    press('/');
    press('yann');
    press(ENTER);
    await sees('▸Summer');
    press(ENTER);
    await sees('yann@example.com', 'Subject (A)', '2 accounts', 'Next send');
    expect(lineWith(frame(), 'yann@example.com')).toMatch(/active +2 +0 +3 /);
    press('p');
    await sees('Pause the campaign "Summer" in all 2 accounts?');
    press('y');
    await sees('"Summer" is paused');
    for (const { campaign_id } of members) expect(await statusOf('campaigns', campaign_id)).toBe('paused');
    await app.db.pool.query('update campaigns set deleted_at = now() where id = any($1)', [members.map((row) => row.campaign_id)]);
    await app.db.pool.query('update accounts set deleted_at = now() where id = $1', [second]);
  });

  it('a draft says what it waits for', async () => {
    const { press, sees } = await open();
    press(DOWN);
    await sees('▸Autumn');
    press(ENTER);
    await sees('The campaign is a draft and needs an enrolled contact.');
  });
});

describe('keys', () => {
  it('home and end move to the first and the last row, ⏎ opens the person of an event, c its campaign, esc goes back', async () => {
    const { frame, press, sees } = await open();
    press(END);
    await sees('▸Autumn');
    press(HOME);
    await sees('▸Spring');
    await installation.app.db.tx((tx) => recordEvents(tx, [eventOf(installation.app, ada, 'opened')]));
    press('3');
    await sees('▸', 'opened');
    press(ENTER);
    await sees('Ada <ada@example.org> (contact ', 'May be emailed', 'opened, step 1 of "Spring"');
    press(ESCAPE);
    await sees('Time (UTC)');
    press('c');
    await sees('Spring  ● active', 'Last email');
    press(ESCAPE);
    await sees('Time (UTC)');
    expect(frame()).not.toContain('Last email');
  });

  it('q ends the dashboard', async () => {
    const { frame, press } = await open();
    press('q');
    await waitUntil('its screen is given up', () => !frame().includes('● live'), 60);
  });

  it('numbers and tab change the view, ? shows every key, q quits', async () => {
    const { press, sees } = await open();
    press(TAB);
    await sees('Last poll');
    press('?');
    // Each on a line of its own: two that met were drawn over each other.
    await sees(
      'an opened campaign',
      'clear the filter',
      'd done',
      's skip',
      'y n confirm or dismiss a request to be removed',
      'Press any key to close.',
    );
    press('x');
    await sees('Last poll');
    press('5');
    await sees('No calls are due.');
    press(TAB);
    await sees('[6 Calendar]');
    press(TAB);
    await sees('[1 Campaigns');
  });

  it('/ filters by every word, esc drops the filter', async () => {
    const { frame, press, sees } = await open();
    press('/');
    await sees('filter: ▏');
    press('draft zoe');
    await waitUntil('Spring is filtered out', () => !frame().includes('Spring'));
    expect(frame()).toContain('Autumn');
    press(ENTER);
    await sees('esc clears it');
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
    await sees('‖ paused');
    press('r');
    await sees('Resume the campaign "Spring"?');
    press('y');
    // Whoever activates a campaign is told what to look at first.
    await sees('"Spring" is active, with ');
    expect(await statusOf('campaigns', spring)).toBe('active');
  });

  it('keys that come as one text count one after the other', async () => {
    const { press, sees } = await open();
    press('2jpy');
    await sees('zoe@example.com is paused', 'is paused manually');
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

    // The call was the last step of its campaign, which is completed, so its calls are no longer due.
    await app.db.pool.query("update campaigns set status = 'active' where id = $1", [campaign]);
    await app.db.pool.query("update call_tasks set status = 'pending', closed_at = null where id = $1", [call]);
    await app.db.pool.query("update enrolments set status = 'active' where id = $1", [enrolment.id]);
    await app.db.pool.query("update campaigns set status = 'active' where id = $1", [campaign]);
    await sees('Bob at Globex in "Calling": Ask about Globex');
    press('s');
    await sees('Mark the call to Bob (bob@example.org) as skipped?');
    press('y');
    await sees('the call to Bob is skipped', 'No calls are due.');
    expect(await statusOf('call_tasks', call)).toBe('skipped');
  });
});

describe('it fits 80×24 and grows', () => {
  it('at 80×24 every key of the footer, every tab and every line is in sight', async () => {
    const { frame, press, resize } = await open();
    resize(80, 24);
    for (const view of ['1', '2', '3', '4', '5', '6']) {
      press(view);
      await waitUntil(`view ${view} at 80×24`, () => lineWith(frame(), `[${view} `) !== '' && frame().split('\n').length === 24, 60);
      expect(frame().split('\n').at(-1)).toContain('q quit');
      for (const tab of ['Campaigns', 'Accounts', 'Events', 'Replies', 'Calls', 'Calendar'])
        expect(lineWith(frame(), `[${view} `)).toContain(tab);
      for (const line of frame().split('\n')) expect(stripVTControlCharacters(line).length).toBeLessThanOrEqual(80);
    }
  });

  it('why nothing goes out is read to its end', async () => {
    const { app } = installation;
    const words = `535 5.7.8 ${'Username and Password not accepted. '.repeat(3)}The last words`;
    const stopped = await insertAccount(app, { status: 'paused', pause_reason: 'provider_error', pause_message: words });
    const halted = await insertCampaign(app, { name: 'Halted', account_id: stopped });
    const { frame, press, resize, sees } = await open();
    await sees('▸Halted');
    resize(80, 24);
    press(ENTER);
    await sees('The last words');
    expect(frame().split('\n')).toHaveLength(24);
    await app.db.pool.query('update campaigns set deleted_at = $2 where id = $1', [halted, app.clock.now()]);
    await app.db.pool.query('update accounts set deleted_at = $2 where id = $1', [stopped, app.clock.now()]);
  });

  it('a wider terminal has more columns; one that is too small is told so, and q still works', async () => {
    const { frame, press, resize, sees } = await open();
    resize(140, 40);
    await sees('Bounce', 'Failed', 'zoe@example.com');
    resize(69, 24);
    await sees('Terminal too small: 69×24, needs 70×12. Press q to quit.');
    resize(80, 24);
    await sees('● live', 'Spring');
    press('q');
    await waitUntil('its screen is given up', () => !frame().includes('● live'), 60);
  });

  it('mails that a person must decide about come before everything else of the first line', () => {
    const queue = { in_flight: 3, unknown: 2, batches_due: 12, batch_lag_seconds: 150, polls_due: 15, poll_lag_seconds: 9 };
    const state = { connection: 'live', reason: null, now: '2026-07-07 12:00:00', queue, emailsPerMinute: 120 } as const;
    const shown = render(<Header {...state} width={80} />).lastFrame() ?? '';
    expect(shown).toContain('● live  2 delivery unknown  120 emails/min  queue 12');
    expect(shown).toMatch(/12:00:00 UTC$/);
  });
});

describe('with the rights of the key', () => {
  it('a view_only key sees, and is told that it can change nothing', async () => {
    const { key } = await member(installation.app, 'view_only');
    const { press, sees } = await open(key);
    press('p');
    await sees('y/n');
    press('y');
    await sees('failed: a view_only key can read but not change anything');
    expect(await statusOf('campaigns', spring)).toBe('active');
  });

  it('says that it is stale once the daemon is gone, and keeps what it knew', async () => {
    const { app, adminKey, databaseUrl } = installation;
    const other = await startDaemon(app, { worker: false, databaseUrl });
    const api = createApi({ url: other.url ?? '', key: adminKey });
    const store = new DashboardStore();
    streams.push(openStream(api, store), store);
    const screen = render(<Dashboard store={store} api={api} />);
    await waitUntil('it is live', () => screen.lastFrame()?.includes('● live') ?? false);
    await other.stop();
    await waitUntil('it is stale', () => screen.lastFrame()?.includes('STALE') ?? false);
    expect(screen.lastFrame()).toContain('Spring');
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { cleanup, render } from 'ink-testing-library';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Dashboard } from '../../src/dashboard/app.tsx';
import { createApi, openStream } from '../../src/dashboard/connection.ts';
import { DashboardStore } from '../../src/dashboard/store.ts';
import { sql } from '../../src/db/statement.ts';
import { blocksOf } from '../support/docs.ts';
import { type Enrolled, insertCampaign, insertContact, insertEnrolment, insertReply, rowOf } from '../support/rows.ts';
import { servedInstallation } from '../support/served.ts';
import { waitUntil } from '../support/wait-until.ts';

const [ENTER, ESCAPE, DOWN, END] = ['\r', '\u001b', '\u001b[B', '\u001b[F'];

const world = await servedInstallation();
const { app } = world;
const folder = mkdtempSync(join(tmpdir(), 'outreach-dashboard-'));
afterAll(() => rmSync(folder, { recursive: true }));
const streams: { close(): void }[] = [];
let ada: Enrolled;

beforeEach(async () => {
  await app.db.query(sql`truncate replies cascade`);
  const contact = await insertContact(app, { name: 'Ada' });
  ada = await insertEnrolment(app, await insertCampaign(app, { name: 'Spring' }), { contact_id: contact });
});
afterEach(() => {
  cleanup();
  for (const stream of streams.splice(0)) stream.close();
});

/** The view of the replies, against the real daemon, at 80×24. */
async function open() {
  const api = createApi({ url: world.url, key: world.adminKey });
  const store = new DashboardStore();
  streams.push(openStream(api, store), store);
  const screen = render(<Dashboard store={store} api={api} />);
  const size = { columns: { value: 80, configurable: true }, rows: { value: 24, configurable: true } };
  Object.defineProperties(screen.stdout, size);
  screen.stdout.emit('resize');
  const frame = () => stripVTControlCharacters(screen.lastFrame() ?? '');
  const sees = (...texts: (string | RegExp)[]) => {
    const isShown = (text: string | RegExp) => (typeof text === 'string' ? frame().includes(text) : text.test(frame()));
    return waitUntil(`on the screen: ${texts.join(', ')}`, () => texts.every(isShown)).catch((error: Error) => {
      throw new Error(`${error.message}\n${frame()}`);
    });
  };
  const press = (keys: string) => screen.stdin.write(keys);
  await sees('● live');
  press('4');
  await sees(/\[4 Replies/, / of \d/);
  return { frame, sees, press };
}

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute));
const order = (frame: string) => frame.match(/(?<=Ada +).*?(first|second|third|fourth)/g)?.map((line) => line.trim().split(' ').at(-1));

describe('the replies on the dashboard', () => {
  it('unread ones come first, both parts newest first; m moves one to the other part', async () => {
    await insertReply(app, ada, { own_text: 'first', received_at: at(1), is_read: true });
    await insertReply(app, ada, { own_text: 'second', received_at: at(2) });
    await insertReply(app, ada, { own_text: 'third', received_at: at(3), is_read: true });
    const last = await insertReply(app, ada, { own_text: 'fourth', received_at: at(4) });
    const { frame, sees, press } = await open();
    await sees('[4 Replies 2]', '2 unread of 4', /▸.*fourth/);
    expect(order(frame())).toEqual(['fourth', 'second', 'third', 'first']);
    press('m');
    await sees('the reply of ada@example.com is marked as read', '1 unread of 4', /▸.*second/);
    expect(order(frame())).toEqual(['second', 'fourth', 'third', 'first']);
    expect((await rowOf<{ is_read: boolean }>(app, 'replies', last)).is_read).toBe(true);
  });

  it('the top one is selected when others come in, until a person selects one, which stays so', async () => {
    await insertReply(app, ada, { own_text: 'first', received_at: at(1) });
    await insertReply(app, ada, { own_text: 'second', received_at: at(2) });
    const timers = vi.spyOn(globalThis, 'setInterval');
    // Instead of the five seconds after which the list is read again.
    const refresh = () => {
      for (const [again, milliseconds] of timers.mock.calls) if (milliseconds === 5_000) again();
    };
    const { sees, press } = await open();
    await sees(/▸.*second/);
    await insertReply(app, ada, { own_text: 'third', received_at: at(3) });
    refresh();
    await sees('3 unread of 3', /▸.*third\n.*second/);
    press(DOWN);
    await sees(/▸.*second/);
    await insertReply(app, ada, { own_text: 'fourth', received_at: at(4) });
    refresh();
    await sees('4 unread of 4', /fourth\n.*third\n▸.*second/);
  });

  it('look as docs/dashboard.md shows them', async () => {
    const said = (received: string, sender_name: string, own_text: string, values = {}) =>
      insertReply(app, ada, { received_at: new Date(`2026-${received}Z`), sender_name, own_text, ...values });
    await said('07-07T11:59:12', 'Ada Lovelace', 'Tuesday suits me.');
    await said('07-07T11:55:40', 'Bob Miller', 'Ada asked me to answer.', { kind: 'colleague' });
    await said('07-07T09:12:05', 'Cleo Diaz', 'What are your prices?', { label: 'question' });
    await said('07-06T15:02:00', 'Dario Abel', 'Let us talk.', { label: 'interested', is_read: true, answered_at: app.clock.now() });
    const { frame, sees } = await open();
    await sees('3 unread of 4', 'Let us talk.');
    const [{ text } = { text: '' }] = blocksOf('docs/dashboard.md', 'text replies');
    // The page leaves out the empty lines; the number of campaigns is that of this file's tests.
    const [, , ...lines] = frame()
      .split('\n')
      .map((line) => line.trimEnd())
      .filter((line) => line !== '');
    const [head, tabs, ...shown] = text.trimEnd().split('\n');
    expect(shown).toEqual(lines);
    expect(head).toMatch(/^Outreach ● live .* 12:00:00 UTC$/);
    expect(tabs).toContain('[4 Replies 3]');
  });

  it('one is read with its text and thread, labelled, assigned and corrected', async () => {
    const id = await insertReply(app, ada, { own_text: 'Yes', full_text: `Yes, let us talk.\n${'line\n'.repeat(30)}The end.` });
    const { sees, press, frame } = await open();
    await sees(/▸.*Yes/);
    press(ENTER);
    await sees('Ada <ada@example.com>', 'Re: Hello', 'Yes, let us talk.', /lines 1 to 17 of 3\d/, 'esc back');
    // An opened reply has no rows to filter, and the keys fit 80 columns.
    expect(frame().split('\n').at(-1)).toMatch(/esc back .*\? help {2}q quit$/);
    expect(frame().split('\n').at(-1)).not.toContain('filter');
    press(END);
    await sees('The end.', /── .*email of step 1/);
    press('l');
    await sees('Label:', '▸interested', 'not interested', 'another label');
    press(DOWN);
    await sees('▸meeting');
    press(ENTER);
    await sees('ada@example.com is labelled "meeting"', 'label meeting  read');
    press('i');
    await sees('▸me', 'nobody');
    press(ENTER);
    await sees('assigned to user 1');
    press('c');
    await sees('it is a reply of a colleague', 'it is an auto-reply');
    press(ENTER);
    await sees('the reply is now a reply of a colleague', 'colleague  label meeting');
    expect(await rowOf(app, 'replies', id)).toMatchObject({ kind: 'colleague', label: 'meeting', assigned_to: 1, is_read: true });
  });

  it('one that was unread and is labelled gives its place to the next, in the list and when it is open', async () => {
    for (const [minute, own_text] of ['first', 'second', 'third', 'fourth'].entries())
      await insertReply(app, ada, { own_text, full_text: `the ${own_text} of all`, received_at: at(minute) });
    const { sees, press } = await open();
    await sees(/▸.*fourth/);
    press('l');
    await sees('▸interested', '⏎ choose');
    press(ENTER);
    await sees('is labelled "interested"', '3 unread of 4', /▸.*third/);
    press(ENTER);
    await sees('the third of all', /^2026-01-01 12:02 UTC {2}reply/m);
    press('l');
    await sees('▸interested');
    press(ENTER);
    await sees('label interested  read');
    press(']');
    await sees('the second of all');
  });

  it('later asks until when, and the reply comes back then', async () => {
    const id = await insertReply(app, ada, { own_text: 'ask in spring' });
    const { sees, press } = await open();
    await sees(/▸.*ask in spring/);
    press('l');
    press('jjj');
    await sees('▸later …');
    press(ENTER);
    await sees('later …:', '▸tomorrow', 'in 2 weeks', 'without a time: only the label');
    press('jj');
    await sees('▸in a week');
    press(ENTER);
    await sees('the reply of ada@example.com comes back at 2026-07-14 12:00 UTC');
    const until = new Date(app.clock.now().getTime() + 7 * 86_400_000);
    expect(await rowOf(app, 'replies', id)).toMatchObject({ label: 'later', is_read: true, later_until: until });
  });

  it('u suppresses who wrote a reply, with the reply as the reason', async () => {
    const id = await insertReply(app, ada, { own_text: 'No more, please' });
    const { sees, press } = await open();
    await sees(/▸.*No more/);
    press('u');
    await sees('Suppress ada@example.com for good', '▸yes, suppress ada@example.com', 'no');
    press(ENTER);
    await sees('ada@example.com is suppressed');
    expect(await app.db.query(sql`delete from suppressions where email = 'ada@example.com' returning reason`)).toEqual([
      { reason: `because of a reply (reply show ${id})` },
    ]);
  });

  it('a label can be typed, and keys of the dashboard are letters meanwhile; / and f narrow the list, esc shows all', async () => {
    await insertReply(app, ada, { own_text: 'about prices', received_at: at(1) });
    await insertReply(app, ada, { own_text: 'about dates', label: 'later', received_at: at(2) });
    await insertReply(app, ada, { kind: 'auto_reply', own_text: 'away' });
    const { frame, sees, press } = await open();
    await sees(/▸.*dates/);
    press('l');
    await sees('another label');
    press(`${DOWN}`.repeat(1));
    for (let more = 0; more < 5; more++) press('j');
    await sees('▸another label');
    press(ENTER);
    await sees('label: ▏');
    press('q1?');
    await sees('label: q1?▏');
    press(ENTER);
    await sees('is labelled "q1?"');
    press('/');
    press('price');
    press(ENTER);
    await sees('1 of 1'.replace('1 of', '1 unread of'), '"price"', 'about prices');
    expect(frame()).not.toContain('dates');
    press(ESCAPE);
    await sees('about dates');
    press('f');
    await sees('▸all replies of people', 'kind auto reply', 'campaign "Spring"');
    for (let more = 0; more < 12; more++) press('j');
    await sees('▸kind auto reply');
    press(ENTER);
    await sees('away', 'kind auto reply   (esc shows all)');
  });

  it('an answer is written in the editor and queued; one that is refused is kept, and its file is named to the end', async () => {
    const editor = join(folder, 'editor.sh');
    writeFileSync(editor, '#!/bin/sh\n{ echo "Tuesday."; cat "$1"; } > "$1.new" && mv "$1.new" "$1"\n', { mode: 0o755 });
    process.env.VISUAL = editor;
    await insertReply(app, ada, { own_text: 'When?' });
    const { frame, sees, press } = await open();
    await sees(/▸.*When/);
    press('a');
    await sees('the answer to ada@example.com is queued', /▸.*When/);
    expect(await app.db.query(sql`select body_html from answers`)).toMatchObject([{ body_html: expect.stringContaining('Tuesday.') }]);
    await app.db.query(sql`update accounts set status = 'paused', pause_reason = 'manual'`);
    press('a');
    await sees(/failed: .*\n?.*your answer is kept in/);
    const [, path] = /kept in\s+(\S+)/.exec(frame()) ?? [];
    expect(path).toMatch(/answer-\d+\.txt$/);
    rmSync(join(String(path), '..'), { recursive: true });
    await app.db.query(sql`update accounts set status = 'active', pause_reason = null`);
  });

  it('a drafted answer is shown with its reply: s sends it as it is, x discards it', async () => {
    const reply = await insertReply(app, ada, { own_text: 'When?' });
    for (const text of ['Tuesday suits me.', 'No.']) await world.api.post(`/replies/${reply}/drafts`, { text });
    const { frame, sees, press } = await open();
    await sees('✎ When?');
    press(ENTER);
    await sees('answer drafted: s sends', /── .* drafted answer +Re: Hello\nTuesday suits me/, 'No.');
    press('s');
    await sees('the drafted answer to ada@example.com is queued', /── .*answer, queued/);
    press('x');
    await sees('the drafted answer to ada@example.com is discarded');
    await waitUntil('no draft is left', () => !/── .*drafted answer/.test(frame()) && !frame().includes('s sends'));
    expect(await app.db.query(sql`select body_html, outbox_id is null as is_draft from answers where reply_id = ${reply}`)).toEqual([
      { body_html: '<p>Tuesday suits me.</p>', is_draft: false },
    ]);
  });

  it('10,000 are scrolled at once: the last is a key away, and only pages that are seen are asked for', async () => {
    const first = await insertReply(app, ada, { own_text: 'the oldest', received_at: at(0) });
    await app.db.tx(async (tx) => {
      // Counted at once below instead of one by one.
      await tx.query(sql`set local session_replication_role = replica`);
      await tx.query(sql`
        insert into inbound_messages (workspace_id, account_id, folder, uid_validity, uid, message_id, proof, verdict, writer, enrolment_id, outbox_id, created_at)
        select workspace_id, account_id, folder, 2, n, '<bulk-' || n || '@x.example>', proof, verdict, writer, enrolment_id, outbox_id, created_at
        from inbound_messages, generate_series(1, 9999) n where id = (select inbound_id from replies where id = ${first})`);
      await tx.query(sql`
        insert into replies (workspace_id, campaign_id, contact_id, enrolment_id, account_id, outbox_id, step_order, inbound_id, mailbox_id, kind,
          sender, sender_name, subject, own_text, full_text, received_at, created_at, is_read)
        select r.workspace_id, r.campaign_id, r.contact_id, r.enrolment_id, r.account_id, r.outbox_id, 1, m.id, r.mailbox_id, 'reply',
          r.sender, r.sender_name, r.subject, 'number ' || m.uid, '', r.received_at + m.uid * interval '1 s', r.created_at, m.uid % 2 = 0
        from replies r, inbound_messages m where r.id = ${first} and m.uid_validity = 2`);
    });
    const { frame, sees, press } = await open();
    await sees('5,001 unread of 10,000', /▸.*number 9999/);
    press(END);
    await sees(/▸.*number 2$/m);
    expect(frame().split('\n')).toHaveLength(24);
    press('k');
    await sees(/▸.*number 4$/m, /number 2$/m);
    // More than are counted.
    press('/');
    press('number');
    press(ENTER);
    await sees(/1,001\+ unread of 2,00\d\+/, /▸.*number 9999/);
  });

  it('what strangers wrote stays in its place: controls, bidi, wide and joined characters', async () => {
    const evil = `\u001b[2J\u009b31m\u202e\u0007\r${'漢字'.repeat(60)} ${'👩‍👩‍👧‍👦'.repeat(40)} ${'🇩🇪'.repeat(40)} e${'\u0301'.repeat(300)}`;
    await insertReply(app, ada, {
      sender_name: evil,
      subject: evil,
      own_text: evil,
      full_text: `${evil}\n\tEnd.`,
      label: evil.slice(0, 40),
    });
    const { frame, sees, press } = await open();
    await sees(/▸/);
    const check = () => {
      expect(frame()).not.toMatch(/(?!\n)\p{Cc}|\u200d|\u202e/u);
      expect(frame().split('\n')).toHaveLength(24);
      expect(frame().split('\n').at(-1)).toMatch(/⏎ read|esc back/);
    };
    check();
    press(ENTER);
    await sees('esc back', '漢字漢字');
    check();
    press(END);
    await sees('End.');
    check();
  });
});

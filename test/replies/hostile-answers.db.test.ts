import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { erasePerson } from '../../src/maintenance/erase-person.ts';
import { message } from '../support/inbound-mail.ts';
import { repliedContact } from '../support/replied-contact.ts';
import { startMailServers } from '../support/sender.ts';
import { refusal, servedInstallation } from '../support/served.ts';
import type { SmtpSink } from '../support/smtp-sink.ts';

let installation: Awaited<ReturnType<typeof servedInstallation>>;
let sink: SmtpSink;
let theirs: Awaited<ReturnType<typeof repliedContact>>;

beforeAll(async () => {
  installation = await servedInstallation();
  const servers = await startMailServers();
  ({ sink } = servers);
  theirs = await repliedContact({ installation, ...servers });
});
beforeEach(() => {
  installation.clock.advance(MINUTE);
  sink.messages.length = 0;
});

/** What is kept of a reply. */
interface Kept {
  subject: string;
  name: string;
  text: string;
  messageId: string;
}

const change = (statement: ReturnType<typeof sql>) => installation.app.db.query(statement);
const thread = async () => (await theirs.read()).thread;

describe('a reply whatever it says can be answered', () => {
  it.each<[string, Partial<Kept>]>([
    ['a line break in its subject', { subject: 'Re: Hello\r\nBcc: all@example.com' }],
    ['a subject of 500 ideographs', { subject: '字'.repeat(500) }],
    ['a control character in the name', { name: 'Ada\u0007\nLovelace' }],
    ['a name of 500 ideographs', { name: '名'.repeat(500) }],
    ['no text', { text: '' }],
    ['markup in its text', { text: '<script>alert(1)</script></blockquote>' }],
    ['a Message-ID that no field can carry', { messageId: '<añb@recipient.example>' }],
  ])('%s', async (_, kept) => {
    const { subject, name, text, messageId } = {
      subject: 'Re: Hello',
      name: 'Ada',
      text: 'Yes',
      messageId: '<theirs@recipient.example>',
      ...kept,
    };
    await change(sql`update replies set subject = ${subject}, sender_name = ${name}, full_text = ${text}, message_id = ${messageId}
      where id = ${theirs.id}`);
    expect((await theirs.answer()).status).toBe(200);
    expect(await theirs.send()).toBe(1);
    const raw = sink.messages[0]?.raw.toString() ?? '';
    expect(raw.slice(0, raw.indexOf('\r\n\r\n'))).toMatch(/^[\x20-\x7e\r\n\t]*$/);
    expect(sink.messages[0]?.headers.has('bcc')).toBe(false);
    expect(raw.slice(raw.indexOf('text/html'))).not.toContain('<script');
  });

  it('a message with thousands of parts, HTML with a script alone, or a charset that lies', async () => {
    const headers = {
      From: `Ada <${theirs.mail.recipient}>`,
      Subject: 'Re: Hello',
      'In-Reply-To': theirs.mail.messageId,
      'MIME-Version': '1.0',
    };
    const parts = Array.from({ length: 3_000 }, (_, index) => ['--b', 'Content-Type: text/plain', '', `part ${index}`]).flat();
    const ids = await theirs.receiveAll([
      message({ ...headers, 'Content-Type': 'multipart/mixed; boundary=b' }, [...parts, '--b--']),
      message({ ...headers, 'Content-Type': 'text/html' }, '<script>document.write("Yes")</script>'),
      Buffer.from(message({ ...headers, 'Content-Type': 'text/plain; charset=utf-16' }, 'Gern, \xe4\xf6.'), 'latin1'),
      message({ ...headers, 'Content-Type': 'text/plain; charset=no-such' }, ''),
    ]);
    for (const id of ids) {
      expect((await installation.api.get(`/replies/${id}`)).body.text).not.toContain('document.write');
      expect((await installation.api.post(`/replies/${id}/answer`, { text: 'Gern.' })).status).toBe(200);
    }
    expect(await theirs.send()).toBe(4);
  });
});

describe('an answer that can’t be sent says what to do', () => {
  it.each([
    { text: ' \n ' },
    { body_html: '<p> </p>' },
    { text: 'Yes', subject: '字'.repeat(400) },
  ])('that is empty or whose subject is too long is refused (%#)', async (body) => {
    expect(await theirs.answer(body)).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
  });

  it.each([
    ['paused', sql`status = 'paused', pause_reason = 'manual'`, 'resume it'],
    ['disconnected', sql`status = 'disconnected', pause_reason = 'provider_error'`, 'connect it again'],
    ['archived', sql`is_archived = true`, 'unarchive it'],
    ['deleted', sql`deleted_at = now()`, 'connect it again'],
  ])('of an account that is %s', async (_, state, remedy) => {
    await change(sql`update accounts set ${state} where id = ${theirs.accountId}`);
    const answered = await theirs.answer();
    await change(sql`update accounts set status = 'active', pause_reason = null, is_archived = false, deleted_at = null`);
    expect(answered).toMatchObject(refusal(409, 'conflict', `${remedy}, then answer again`));
  });

  it('to an archived contact it is refused; archived or deleted meanwhile, or with its campaign, it has failed', async () => {
    const [contactId = 0] = theirs.contactIds;
    await change(sql`update contacts set is_archived = true where id = ${contactId}`);
    expect(await theirs.answer()).toMatchObject(refusal(409, 'conflict', 'the contact is archived; unarchive it'));
    for (const [gone, back] of [
      [sql`update contacts set is_archived = true`, sql`update contacts set is_archived = false`],
      [sql`update contacts set deleted_at = now()`, sql`update contacts set deleted_at = null`],
      [sql`update campaigns set deleted_at = now()`, sql`update campaigns set deleted_at = null`],
    ]) {
      await change(sql`update contacts set is_archived = false where id = ${contactId}`);
      expect((await theirs.answer()).status).toBe(200);
      await change(gone as ReturnType<typeof sql>);
      expect(await theirs.send()).toBe(0);
      await change(back as ReturnType<typeof sql>);
      expect((await thread()).at(-1)).toMatchObject({ state: 'failed', error: expect.stringContaining('restore it, then answer again') });
    }
    expect(sink.messages).toHaveLength(0);
  });

  it('asked for twice at once with one Idempotency-Key, there is one', async () => {
    const before = (await theirs.answers()).length;
    const key = { 'Idempotency-Key': 'at once' };
    const statuses = (await Promise.all([1, 2, 3].map(() => theirs.answer(undefined, key)))).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
    expect(statuses).toContain(200);
    expect(await theirs.answers()).toHaveLength(before + 1);
    await theirs.send();
  });

  it('to a person who is erased never goes, and does not wait forever', async () => {
    const { app, caller } = installation;
    expect((await theirs.answer()).status).toBe(200);
    await erasePerson(app, caller, theirs.mail.recipient);
    expect(await theirs.send()).toBe(0);
    expect((await theirs.answers()).at(-1)).toMatchObject({ state: 'failed' });
    expect(sink.messages).toHaveLength(0);
  });
});

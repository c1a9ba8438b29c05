import PostalMime from 'postal-mime';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { suppressAddress } from '../../src/campaigns/index.ts';
import { HOUR, MINUTE } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { erasePerson } from '../../src/maintenance/erase-person.ts';
import { fileSentCopies } from '../../src/sending/index.ts';
import { pruneFiles } from '../../src/uploads/files.ts';
import { TEST_START } from '../support/database.ts';
import type { ImapServer } from '../support/imap-server.ts';
import { bounce } from '../support/inbound-mail.ts';
import { member } from '../support/people.ts';
import { repliedContact } from '../support/replied-contact.ts';
import { startMailServers } from '../support/sender.ts';
import { refusal, servedInstallation } from '../support/served.ts';
import type { SmtpSink } from '../support/smtp-sink.ts';

/** docs/replies.md, "Copies and attachments". */

let installation: Awaited<ReturnType<typeof servedInstallation>>;
let imap: ImapServer;
let sink: SmtpSink;

beforeAll(async () => {
  installation = await servedInstallation();
  ({ imap, sink } = await startMailServers());
});
beforeEach(() => {
  installation.clock.set(TEST_START);
  sink.behave();
  sink.messages.length = 0;
});

const replied = () => repliedContact({ installation, imap, sink }, {});

async function uploaded(content: string | Buffer, name: string, client = installation.api): Promise<{ name: string; sha256: string }> {
  const form = new FormData();
  form.append('file', new Blob([content as never]), name);
  const { status, body } = await client.post('/attachments', form);
  if (status !== 201) throw new Error(body.error.message);
  return { name: body.name, sha256: body.sha256 };
}

const isSuppressed = async (address: string) =>
  (await installation.api.get('/suppressions?limit=200')).body.data.some(({ email }: { email: string }) => email === address);

describe('an answer with copies and attachments', () => {
  it('is one message to all, with a Cc header; its copy in the Sent folder is the whole message', async () => {
    const { app, api, clock } = installation;
    const it = await replied();
    const offer = Buffer.from(Array.from({ length: 900_000 }, (_, at) => (at * 7 + (at >> 8)) % 256));
    const files = [await uploaded(offer, 'offer.pdf'), await uploaded('terms', 'terms.txt')];
    const cc = [' boss@copies.example ', 'Assistant@copies.example'];
    expect((await it.answer({ text: 'Here is our offer.', cc, attachments: files })).status).toBe(200);
    expect(await it.send()).toBe(1);
    expect(sink.messages.map(({ to }) => to)).toEqual([[it.mail.recipient, 'boss@copies.example', 'Assistant@copies.example']]);
    const raw = sink.messages[0]?.raw ?? Buffer.alloc(0);
    const parsed = await PostalMime.parse(raw, { attachmentEncoding: 'arraybuffer' });
    expect(parsed.cc?.map(({ address }) => address)).toEqual(['boss@copies.example', 'Assistant@copies.example']);
    expect(parsed.text).toContain('Here is our offer.');
    expect(parsed.text).toContain('Yes, let us talk.');
    expect(parsed.attachments.map(({ filename }) => filename)).toEqual(['offer.pdf', 'terms.txt']);
    expect(Buffer.from(parsed.attachments[0]?.content as ArrayBuffer).equals(offer)).toBe(true);
    expect((await it.read()).thread.at(-1)).toMatchObject({
      ...{ type: 'answer', state: 'sent', error: null, to: it.mail.recipient, cc: ['boss@copies.example', 'Assistant@copies.example'] },
      attachments: [
        { name: 'offer.pdf', size: 900_000 },
        { name: 'terms.txt', size: 5 },
      ],
    });
    clock.advance(5 * MINUTE);
    expect(await fileSentCopies(app, it.accountId)).toBe(1);
    const [filed] = await imap.messages(it.mailbox, 'Sent');
    expect(filed?.raw.toString('latin1').trimEnd()).toBe(raw.toString('latin1').trimEnd());
    const [day] = await app.db.query(sql`select accepted from account_days where account_id = ${it.accountId} order by day desc limit 1`);
    expect(day).toEqual({ accepted: 2 });
    const audited = (await api.get('/history?limit=1')).body.data[0];
    expect(audited).toMatchObject({ action: 'reply.answer', changes: { cc: ['boss@copies.example', 'Assistant@copies.example'] } });
    expect(audited.changes.attached).toEqual(['offer.pdf', 'terms.txt']);
  });

  it('what is refused, for an answer and for a draft', async () => {
    const { app, caller } = installation;
    const it = await replied();
    await suppressAddress(app, caller, { email: '@never.example', reason: 'asked' });
    const file = await uploaded('a', 'a.txt');
    const eleven = Array.from({ length: 11 }, (_, index) => `p${index}@copies.example`);
    const cases: [body: object, code: 400 | 409, words: string][] = [
      [{ cc: [it.mail.recipient.toUpperCase()] }, 400, 'gets the answer itself'],
      [{ cc: ['ann.lee@gmail.com', 'boss@copies.example', 'annlee@googlemail.com'] }, 400, 'annlee@googlemail.com is listed twice'],
      [{ cc: ['Boss <boss@copies.example>'] }, 400, 'cc: must be one email address'],
      [{ cc: eleven }, 400, 'at most 10 addresses'],
      [{ cc: ['boss@copies.example', 'x@never.example'] }, 409, 'x@never.example is suppressed'],
      [{ cc: ['x@never.example'], even_if_suppressed: true }, 409, 'x@never.example is suppressed'],
      [{ attachments: [file, { ...file, name: 'A.TXT' }] }, 400, 'two files are named "A.TXT"'],
      [{ attachments: [{ ...file, name: 'run.exe' }] }, 400, "can't be attached"],
      [{ attachments: [{ name: 'a.txt', sha256: '0'.repeat(64) }] }, 400, 'no uploaded file'],
    ];
    for (const [body, status, words] of cases) {
      const told = refusal(status, status === 400 ? 'invalid_request' : 'conflict', words);
      expect(await it.answer({ text: 'Hello.', ...body }), JSON.stringify(body)).toMatchObject(told);
      if ('even_if_suppressed' in body) continue;
      expect(await installation.api.post(`/replies/${it.id}/drafts`, { text: 'Hello.', ...body }), words).toMatchObject(told);
    }
    expect(await it.answers()).toEqual([]);
  });

  it('fails with the address named if a copy would go to somebody who was suppressed meanwhile', async () => {
    const { app, caller } = installation;
    const it = await replied();
    await it.answer({ text: 'Hello.', cc: ['late@copies.example'] });
    await suppressAddress(app, caller, { email: 'late@copies.example', reason: 'asked' });
    expect(await it.send()).toBe(0);
    expect((await it.read()).thread.at(-1)).toMatchObject({
      state: 'failed',
      error: 'late@copies.example, which should get a copy, is suppressed now',
    });
    expect(sink.messages).toEqual([]);
  });

  const partly: [string, 'recipient' | 'copy', number, object][] = [
    [
      'a copy refused: sent, and the refusal is told',
      'copy',
      550,
      { state: 'sent', error: expect.stringContaining('c@copies.example: 550 ') },
    ],
    ['the recipient refused', 'recipient', 550, { state: 'failed', error: expect.stringMatching(/^550 .* \(the copies were sent\)$/) }],
    [
      'the recipient refused for now',
      'recipient',
      451,
      { state: 'failed', error: expect.stringMatching(/^451 .* \(the copies were sent\)$/) },
    ],
  ];
  it.each(partly)('%s: one transaction, and never a second one', async (_case, who, code, last) => {
    const it = await replied();
    await it.answer({ text: 'Hello.', cc: ['b@copies.example', 'c@copies.example'] });
    const refused = who === 'copy' ? 'c@copies.example' : it.mail.recipient;
    sink.misbehave('rcpt', { code, text: '4.7.1 not now' }, { to: refused });
    await it.send();
    expect((await it.read()).thread.at(-1)).toMatchObject(last);
    sink.behave();
    installation.clock.advance(HOUR);
    expect(await it.send()).toBe(0);
    expect(sink.messages.map(({ to }) => to)).toEqual([
      [it.mail.recipient, 'b@copies.example', 'c@copies.example'].filter((address) => address !== refused),
    ]);
  });

  it('what comes back from a copy concerns its address alone', async () => {
    const { app } = installation;
    const it = await replied();
    const before = await it.enrolment();
    await it.answer({ text: 'Hello.', cc: ['gone@copies.example'] });
    await it.send();
    const [row] = await app.db.query<{ message_id: string }>(sql`select message_id from outbox where reply_id = ${it.id}`);
    const about = { ...it.mail, messageId: row?.message_id ?? '' };
    await imap.append(it.mailbox, 'INBOX', bounce({ ...about, recipient: 'gone@copies.example' }));
    await it.poll();
    expect([await isSuppressed('gone@copies.example'), await isSuppressed(it.mail.recipient)]).toEqual([true, false]);
    expect(await it.enrolment()).toEqual(before);
    expect((await installation.api.get(`/campaigns/${it.campaignId}/stats`)).body).toMatchObject({ bounced: 0 });
  });
});

describe('drafts and files', () => {
  it('a draft has both, is changed, and sends them once it is approved; a key of the scope drafts can upload nothing', async () => {
    const { api, app } = installation;
    const it = await replied();
    const agent = api.as((await member(app, 'manager', { scopes: ['read', 'drafts'] })).key);
    await expect(uploaded('x', 'x.txt', agent)).rejects.toThrow('scope write');
    const file = await uploaded('prices', 'prices.txt');
    const attachments = [file];
    const draft = await agent.post(`/replies/${it.id}/drafts`, { text: 'Our prices.', cc: ['boss@copies.example'], attachments });
    expect(draft).toMatchObject({ status: 201, body: { cc: ['boss@copies.example'], attachments: [{ ...file, size: 6 }] } });
    const path = `/drafts/${draft.body.id}`;
    expect((await it.read()).drafts).toMatchObject([{ cc: ['boss@copies.example'], attachments: [{ ...file, size: 6 }] }]);
    expect((await api.patch(path, { text: 'Our new prices.' })).body).toMatchObject({
      cc: ['boss@copies.example'],
      attachments: [{ name: 'prices.txt' }],
    });
    const second = await uploaded('more', 'more.txt');
    const { body } = await api.get(path);
    const changed = await api.patch(path, { ...body, cc: ['cfo@copies.example'], attachments: [...body.attachments, second] });
    expect(changed).toMatchObject({ status: 200, body: { cc: ['cfo@copies.example'], attachments: [{ size: 6 }, { size: 4 }] } });
    expect((await api.post(`${path}/approve`)).status).toBe(200);
    expect(await it.send()).toBe(1);
    expect(sink.messages.map(({ to }) => to)).toEqual([[it.mail.recipient, 'cfo@copies.example']]);
    const parsed = await PostalMime.parse(sink.messages[0]?.raw ?? '');
    expect(parsed.attachments.map(({ filename }) => filename)).toEqual(['prices.txt', 'more.txt']);
  });

  it('a file is kept for a draft and for an answer that waits, and deleted when nothing needs it', async () => {
    const { api, app, clock } = installation;
    const it = await replied();
    const [ofDraft, ofAnswer, ofBoth] = await Promise.all(['draft', 'answer', 'both'].map((name) => uploaded(name, `${name}.txt`)));
    const kept = async () => {
      clock.advance(2 * HOUR);
      await pruneFiles(app);
      const rows = await app.db.query<{ sha256: string }>(sql`select sha256 from files`);
      return [ofDraft, ofAnswer, ofBoth].map((file) => rows.some(({ sha256 }) => sha256 === file?.sha256));
    };
    const { id } = (await api.post(`/replies/${it.id}/drafts`, { text: 'Hello.', attachments: [ofDraft, ofBoth] })).body;
    await it.answer({ text: 'Hello.', attachments: [ofAnswer, ofBoth] });
    expect(await kept()).toEqual([true, true, true]);
    expect(await it.send()).toBe(1);
    expect(await kept()).toEqual([true, false, true]);
    await api.delete(`/drafts/${id}`);
    expect(await kept()).toEqual([false, false, false]);
  });

  it('an erasure empties both of the person’s answers, and takes the person out of the copies of others', async () => {
    const { app, caller } = installation;
    const [it, other] = [await replied(), await replied()];
    await it.answer({ text: 'Hello.', cc: ['wife@copies.example'], attachments: [await uploaded('secret', 'secret.txt')] });
    await other.answer({ text: 'Hello.', cc: [it.mail.recipient, 'boss@copies.example'] });
    await it.send();
    await erasePerson(app, caller, it.mail.recipient);
    const rows = await app.db.query(sql`select to_jsonb(w)::text as text from answers w where w.reply_id = ${it.id}`);
    expect(JSON.stringify(rows)).not.toMatch(/wife|secret/);
    expect((await other.read()).thread.at(-1).cc).toEqual(['boss@copies.example']);
  });
});

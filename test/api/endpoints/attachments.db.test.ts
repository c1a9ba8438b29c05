import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { HOUR } from '../../../src/core/clock.ts';
import { sql } from '../../../src/db/statement.ts';
import { pruneFiles } from '../../../src/uploads/files.ts';
import { keepFile, receiveFile } from '../../../src/uploads/receive.ts';
import { afterFile } from '../../support/after-file.ts';
import type { ApiAnswer } from '../../support/api-client.ts';
import { member } from '../../support/people.ts';
import { startSender } from '../../support/sender.ts';
import { servedInstallation } from '../../support/served.ts';
import { startSmtpSink } from '../../support/smtp-sink.ts';

/** C4: attachments per step, 15 MiB in all, no executables. */

const served = await servedInstallation();
const { app, api, clock, caller } = served;
const sink = await startSmtpSink({ users: { me: 'secret' } });
afterFile(() => sink.close());

const MB = 1024 * 1024;
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');
/** Returns bytes without a repeating pattern, so that a chunk in the wrong place is detected. */
function bytesOf(size: number, seed = 7): Buffer {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; at++) bytes[at] = at * seed + (at >> 8) * 13 + (at >> 16);
  return bytes;
}

function form(content: Buffer | string, name: string): FormData {
  const made = new FormData();
  made.append('file', new Blob([content as never]), name);
  return made;
}
const upload = (content: Buffer | string, name: string, client = api) => client.post('/attachments', form(content, name));
/** The message of a refusal. */
const refusal = async (call: Promise<ApiAnswer>) => {
  const { status, body } = await call;
  return status === 400 ? (body.error.message as string) : `status ${status}`;
};
const files = async () => (await app.db.query<{ id: number }>(sql`select id from files`)).length;

async function campaign() {
  const sender = await startSender(served, sink, {
    steps: [{ body_html: '<p>See {{name}}</p>' }, { wait_days: 1 }],
    contacts: [{ name: 'Ada' }],
  });
  const { data } = (await api.get(`/campaigns/${sender.campaignId}/steps`)).body as { data: { id: number }[] };
  const path = (step: number) => `/campaigns/${sender.campaignId}/steps/${data[step]?.id}/attachments`;
  return { ...sender, path };
}

async function attached(path: string, content: Buffer | string, name: string) {
  const { status, body } = await upload(content, name);
  expect({ status, body }).toMatchObject({ status: 201 });
  return api.post(path, { sha256: body.sha256, name: body.name });
}

describe('attachments', () => {
  it('go with every email of their step, byte by byte, beside its text, and count in the announced size', async () => {
    const { path, batch } = await campaign();
    const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), bytesOf(1_200_001)]);
    expect(await attached(path(0), pdf, 'Preise für 2027 – alle, auch die kleinen.pdf')).toMatchObject({
      status: 201,
      body: { name: 'Preise für 2027 – alle, auch die kleinen.pdf', size: pdf.length, sha256: sha256(pdf) },
    });
    await attached(path(0), 'a,b\r\n1,2\r\n', 'table.csv');
    sink.limitSize(50 * MB);
    expect(await batch()).toMatchObject({ sent: 1 });
    const [message] = sink.messages;
    expect(message?.size).toBe(message?.raw.length);
    const email = await PostalMime.parse(message?.raw ?? '');
    expect(email.html).toContain('See Ada');
    expect(email.text).toContain('See Ada');
    expect(email.attachments.map(({ filename, mimeType, disposition }) => [filename, mimeType, disposition])).toEqual([
      ['Preise für 2027 – alle, auch die kleinen.pdf', 'application/pdf', 'attachment'],
      ['table.csv', 'text/csv', 'attachment'],
    ]);
    expect(sha256(Buffer.from(email.attachments[0]?.content as ArrayBuffer))).toBe(sha256(pdf));
    expect(Buffer.from(email.attachments[1]?.content as ArrayBuffer).toString()).toBe('a,b\r\n1,2\r\n');
    expect(
      String(message?.raw)
        .split('\r\n')
        .every((line) => line.length <= 78),
    ).toBe(true);
    expect(String(message?.raw).match(/^(Message-ID|Date|MIME-Version):/gim)).toHaveLength(3);
  });

  it('are stored once by their content in a workspace, and deleted an hour after the last step that has them', async () => {
    const { path } = await campaign();
    const [before, content] = [await files(), bytesOf(700_000, 3)];
    const [one, other] = await Promise.all([upload(content, 'one.bin'), upload(content, 'other.bin')]);
    expect([one.body.sha256, other.body.sha256]).toEqual([sha256(content), sha256(content)]);
    await keepFile(app, caller, await receiveFile(app, caller, 'third.bin', Readable.from([content])));
    expect(await files()).toBe(before + 1);
    const first = (await api.post(path(0), { sha256: one.body.sha256, name: 'one.bin' })).body;
    await api.post(path(1), { sha256: one.body.sha256, name: 'again.bin' });
    clock.advance(2 * HOUR);
    await pruneFiles(app);
    await api.delete(`${path(0)}/${first.id}`);
    await pruneFiles(app);
    expect((await api.get(path(1))).body.data).toMatchObject([{ name: 'again.bin', sha256: sha256(content) }]);
    const [{ id } = { id: 0 }] = (await api.get(path(1))).body.data;
    expect((await api.delete(`${path(1)}/${id}`)).status).toBe(204);
    const left = await files();
    await pruneFiles(app);
    expect(await files()).toBe(left - 1);
    expect(await refusal(api.post(path(0), { sha256: sha256(content), name: 'one.bin' }))).toMatch(/no uploaded file with the SHA-256/);
  });

  it('are 15 MiB in all at most, ten, each another file of another name', async () => {
    const { path } = await campaign();
    expect((await attached(path(0), bytesOf(8 * MB, 11), 'half.bin')).status).toBe(201);
    expect(await refusal(attached(path(0), bytesOf(7 * MB + 1, 5), 'more.bin'))).toMatch(
      'attachments: 15,728,641 bytes in all; an email may have 15 MiB, 15,728,640 bytes',
    );
    expect((await attached(path(0), bytesOf(7 * MB, 5), 'rest.bin')).status).toBe(201);
    const same = await attached(path(0), 'x', 'HALF.bin');
    expect([same.status, same.body.error.message]).toEqual([409, expect.stringContaining('remove that first')]);
    const again = await attached(path(0), bytesOf(7 * MB, 5), 'other name.bin');
    expect([again.status, again.body.error.message]).toEqual([409, 'the step has this file already, named "rest.bin"; remove that first']);
    expect(await upload(bytesOf(15 * MB + 1), 'large.bin')).toMatchObject({ status: 413 });
    for (let index = 0; index < 10; index++) await attached(path(1), `${index}`, `${index}.txt`);
    expect(await refusal(attached(path(1), 'x', 'eleventh.txt'))).toMatch('at most 10 files');
  });

  it.each([
    ['setup.exe', 'x'],
    ['Invoice.pdf.js', 'x'],
    ['run.PS1 ', 'x'],
    ['harmless.pdf', 'MZ\x90\0 program'],
    ['notes.txt', '#!/bin/sh\nrm'],
    ['picture.png', Buffer.from('7f454c460201', 'hex')],
    ['empty.pdf', ''],
    ['..', 'x'],
  ])('refuses %s, and stores nothing', async (name, content) => {
    const before = await files();
    expect(await refusal(upload(content, name))).toMatch(/^file: /);
    expect(await files()).toBe(before);
  });

  it('have names without folders and without characters that hide what they are', async () => {
    expect((await upload('x', '../../etc/pass\u202ewd.txt')).body.name).toBe('passwd.txt');
    expect((await upload('x', 'C:\\Users\\zoe\\Offer.pdf')).body.name).toBe('Offer.pdf');
  });

  it('belong to who sees the campaign, and to the workspace', async () => {
    const { path, campaignId } = await campaign();
    const stranger = api.as((await member(app, 'manager', { email: 'stranger@example.com' })).key);
    await api.patch(`/campaigns/${campaignId}`, { is_shared_to_all: false });
    expect((await stranger.get(path(0))).status).toBe(404);
    const { body } = await upload('x', 'x.txt');
    expect((await stranger.post(path(0), body)).status).toBe(404);
  });

  it('what breaks off leaves nothing', async () => {
    const before = await files();
    async function* broken() {
      yield bytesOf(600_000);
      throw new Error('the connection was cut');
    }
    await expect(receiveFile(app, caller, 'x.bin', broken())).rejects.toThrow('cut');
    expect(await files()).toBe(before);
  });

  it('hold an email that is larger than the server takes, and say so', async () => {
    const { path, batch, campaignId } = await campaign();
    await attached(path(0), bytesOf(3 * MB, 9), 'large.bin');
    sink.limitSize(2 * MB);
    expect(await batch()).toMatchObject({ sent: 0 });
    const [row] = await app.db.query<{ reason: string }>(
      sql`select details ->> 'reason' as reason from events where campaign_id = ${campaignId} and type = 'failed'`,
    );
    expect(row?.reason).toBe('the email is 4.1 MiB, and the server accepts at most 2.0 MiB');
    const { body: explained } = await api.get(`/campaigns/${campaignId}/explain`);
    expect([...explained.reasons, ...explained.notes].join('\n')).toContain('the email is 4.1 MiB, and the server accepts at most 2.0 MiB');
    sink.limitSize(undefined);
  });

  it('are copied with the campaign', async () => {
    const { path, campaignId } = await campaign();
    await attached(path(1), 'x', 'x.txt');
    const { body: copy } = await api.post(`/campaigns/${campaignId}/copy`, {});
    const { data } = (await api.get(`/campaigns/${copy.id}/steps`)).body;
    expect((await api.get(`/campaigns/${copy.id}/steps/${data[1].id}/attachments`)).body.data).toMatchObject([{ name: 'x.txt', size: 1 }]);
  });
});

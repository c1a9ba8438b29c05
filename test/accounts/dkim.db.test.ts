import { generateKeyPairSync } from 'node:crypto';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { getAccount, getDkim, setDkim } from '../../src/accounts/index.ts';
import { DAY } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { type DkimRecord, zoneLine } from '../../src/mail/dkim.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { insertAccount, rowOf } from '../support/rows.ts';
import { startSender } from '../support/sender.ts';
import { type SinkMessage, type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';

let installation: TestInstallation;
let sink: SmtpSink;

beforeAll(async () => {
  installation = await testInstallation({ baseUrl: 'https://links.example.com' });
  sink = await startSmtpSink({ users: { me: 'secret' } });
});
afterAll(() => sink?.close());
beforeEach(() => {
  sink.messages.length = 0;
});

const rsa = (modulusLength: number) =>
  generateKeyPairSync('rsa', {
    modulusLength,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });

/** A receiver's DKIM results for an email if DNS holds only these records. */
async function verified(raw: Buffer, ...records: readonly DkimRecord[]) {
  const resolver = async (name: string, type: string) => {
    const record = records.find((each) => each.name === name);
    if (type === 'TXT' && record !== undefined) return [record.value.match(/.{1,255}/g) ?? []];
    throw Object.assign(new Error(name), { code: 'ENOTFOUND' });
  };
  return (await dkimVerify(raw, { sender: 'a@example.com', resolver, curTime: installation.clock.now() })).results;
}

async function signedMail(html: string, subject = 'Hello'): Promise<{ mail: SinkMessage; record: DkimRecord; accountId: number }> {
  const { app, caller } = installation;
  const sender = await startSender(installation, sink, { steps: [{ subject, body_html: html }], contacts: [{ name: 'Jörg Müller' }] });
  const [record] = await setDkim(app, caller, sender.accountId, {});
  expect(await sender.batch()).toEqual({ sent: 1, other: 0 });
  return { mail: sink.messages[0] as SinkMessage, record: record as DkimRecord, accountId: sender.accountId };
}

describe('an email of an account with DKIM', () => {
  it.each([
    ['plain', '<p>Hello</p>', 'Hello'],
    ['with dots, spaces at line ends and long lines', `<p>.\r\n..a  \r\n \r\n${'word '.repeat(800)}</p>\r\n\r\n`, 'Hello'],
    ['in other scripts', '<p>Grüße, 你好, مرحبا {{name}}</p>', `Grüße ${'你好 '.repeat(60)}`],
  ])('passes a receiver’s check: %s', async (_name, html, subject) => {
    const { mail, record } = await signedMail(html, subject);
    const [result, ...others] = await verified(mail.raw, record);
    expect(others).toEqual([]);
    expect(result).toMatchObject({
      status: { result: 'pass', aligned: 'example.com' },
      signingDomain: 'example.com',
      selector: 'outreach',
    });
    const fields = /;h=([^;]*);/.exec(mail.raw.toString().replaceAll(/\s/g, ''))?.[1]?.split(':');
    expect(fields).toEqual(
      expect.arrayContaining(['from', 'to', 'subject', 'date', 'message-id', 'list-unsubscribe', 'list-unsubscribe-post']),
    );
  });

  it('fails it when a signed header or the text is changed on the way', async () => {
    const { mail, record } = await signedMail('<p>Hello</p>');
    const changes = [
      (raw: string) => raw.replace('List-Unsubscribe: <', 'List-Unsubscribe: <x'),
      (raw: string) => raw.replace('Hello</p>', 'Hallo</p>'),
    ];
    for (const change of changes) {
      const [result] = await verified(Buffer.from(change(mail.raw.toString())), record);
      expect(result?.status.result).not.toBe('pass');
    }
  });

  it('is not signed any more once that is turned off', async () => {
    const { app, caller } = installation;
    const sender = await startSender(installation, sink);
    await setDkim(app, caller, sender.accountId, {});
    expect(await setDkim(app, caller, sender.accountId, null)).toEqual([]);
    await sender.batch();
    expect(sink.messages[0]?.headers.has('dkim-signature')).toBe(false);
  });
});

describe('the key', () => {
  it('is made by us with 2048 bits, stored sealed, and kept until domain or selector change', async () => {
    const { app, caller } = installation;
    const id = await insertAccount(app, { email: 'zoe@mail.example.com' });
    const records = await setDkim(app, caller, id, { domain: 'example.com', selector: 's1' });
    const value = expect.stringMatching(/^v=DKIM1; k=rsa; p=[\w+/]{380,}=*$/);
    expect(records).toEqual([{ name: 's1._domainkey.example.com', type: 'TXT', value, keep_until: null }]);
    const { dkim_secret } = await rowOf<{ dkim_secret: string }>(app, 'accounts', id);
    expect(dkim_secret).toMatch(/^v1:/);
    expect(dkim_secret).not.toContain('PRIVATE KEY');
    expect(await setDkim(app, caller, id, { selector: 's1' })).toEqual(records);
    expect(await getDkim(app.db, caller, id)).toEqual(records);
    expect(
      zoneLine(records[0] as DkimRecord)
        .match(/"[^"]*"/g)
        ?.every((part) => part.length <= 257),
    ).toBe(true);
  });

  it('signs along for 7 days after a change of selector, and its record is listed until its last signature has expired (§14)', async () => {
    const { app, caller, clock } = installation;
    const start = clock.now();
    const sender = await startSender(installation, sink, { contacts: [{}, {}], account: { send_batch_min: 1, send_batch_max: 1 } });
    const id = sender.accountId;
    const [before] = await setDkim(app, caller, id, { selector: 's1', ed25519: true });
    const [rsa, ed25519, ...former] = await setDkim(app, caller, id, { selector: 's2' });
    expect([rsa?.name, ed25519?.name]).toEqual(['s2._domainkey.example.com', 's2-ed25519._domainkey.example.com']);
    const keep_until = new Date(start.getTime() + 21 * DAY).toISOString();
    expect(former).toMatchObject([
      { ...before, keep_until },
      { name: 's1-ed25519._domainkey.example.com', keep_until },
    ]);
    const sentAfter = async (days: number) => {
      clock.set(new Date(start.getTime() + days * DAY));
      sink.messages.length = 0;
      await sender.batch();
      const raw = sink.messages[0]?.raw.toString() ?? '';
      return { raw: Buffer.from(raw), selectors: [...raw.matchAll(/^ d=example\.com; s=([\w-]+);/gm)].map(([, name]) => name) };
    };
    const first = await sentAfter(6);
    expect(first.selectors).toEqual(['s2', 's2-ed25519', 's1', 's1-ed25519']);
    // DNS knows the former key only, then the new ones only.
    const passed = async (...records: DkimRecord[]) =>
      (await verified(first.raw, ...records)).map(({ status }) => status.result).filter((result) => result === 'pass').length;
    expect(await passed(before as DkimRecord)).toBe(1);
    expect(await passed(rsa as DkimRecord, ed25519 as DkimRecord)).toBe(2);
    expect((await sentAfter(8)).selectors).toEqual(['s2', 's2-ed25519']);
    expect(await setDkim(app, caller, id, { ed25519: false })).toMatchObject([{ name: rsa?.name }, { keep_until }, { keep_until }]);
    clock.set(new Date(start.getTime() + 22 * DAY));
    expect(await setDkim(app, caller, id, { ed25519: true })).toHaveLength(2);
  });

  it('of the name that a new key gets ends at once: a name in DNS holds one', async () => {
    const { app, caller } = installation;
    const id = await insertAccount(app);
    const [first] = await setDkim(app, caller, id, { selector: 's1' });
    await setDkim(app, caller, id, { selector: 's2' });
    const names = (await setDkim(app, caller, id, { selector: 's1' })).map(({ name }) => name);
    expect(names).toEqual(['s1._domainkey.example.com', 's2._domainkey.example.com']);
    const [again, ...others] = await setDkim(app, caller, id, { key: rsa(1_024).privateKey });
    expect(again).toMatchObject({ name: first?.name });
    expect(again?.value).not.toBe(first?.value);
    expect(others).toHaveLength(1);
  });

  it('can be brought along', async () => {
    const { app, caller } = installation;
    const id = await insertAccount(app);
    const { privateKey, publicKey } = rsa(1_024);
    const [record] = await setDkim(app, caller, id, { key: privateKey });
    const base64 = publicKey.replaceAll(/-----[^-]*-----|\s/g, '');
    expect(record?.value).toBe(`v=DKIM1; k=rsa; p=${base64}`);
  });

  it.each([
    ['another domain than the sender’s', { domain: 'example.org' }, /^dkim_domain: must be example\.com/],
    ['a domain below the sender’s', { domain: 'a.example.com' }, /^dkim_domain: /],
    ['a top-level domain', { domain: 'com' }, /^dkim_domain: /],
    ['a selector that is no label', { selector: 'a b' }, /^dkim_selector: /],
    ['a selector that would break the header', { selector: 'a;d=x' }, /^dkim_selector: /],
    ['no key at all', { key: 'hello' }, /^dkim_key: must be a private key/],
    ['a key that is too short', { key: rsa(768).privateKey }, /^dkim_key: has 768 bits/],
    [
      'a key of another kind',
      { key: generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() },
      /^dkim_key: must be an RSA key/,
    ],
  ])('is refused, and nothing changes: %s', async (_name, input, message) => {
    const { app, caller } = installation;
    const id = await insertAccount(app);
    await expect(setDkim(app, caller, id, input)).rejects.toThrow(message);
    expect(await getDkim(app.db, caller, id)).toEqual([]);
  });

  it('is not set for accounts whose provider signs, nor by callers who can’t see the account', async () => {
    const { app, caller } = installation;
    const google = await insertAccount(app, { provider: 'google' });
    await expect(setDkim(app, caller, google, {})).rejects.toThrow('google signs the emails of its accounts itself');
    await expect(setDkim(app, { ...caller, workspaceId: 2 }, google, {})).rejects.toThrow('not found');
  });

  it('that can’t be opened pauses the account and says what to do; nothing goes out unsigned', async () => {
    const { app, caller } = installation;
    const sender = await startSender(installation, sink);
    await setDkim(app, caller, sender.accountId, {});
    await app.db.query(sql`update accounts set dkim_secret = 'v1:00000000:a:b:c' where id = ${sender.accountId}`);
    expect(await sender.batch()).toEqual({ sent: 0, other: 0 });
    expect(await getAccount(app.db, caller, sender.accountId)).toMatchObject({
      status: 'paused',
      pause_message: expect.stringMatching(/the DKIM key of account \d+ can't be decrypted: .*outreach account set \d+ --dkim-key/),
    });
    expect(sink.messages).toEqual([]);
  });
});

import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inviteUser } from '../../../src/access/index.ts';
import { DAY } from '../../../src/core/clock.ts';
import { sql } from '../../../src/db/statement.ts';
import { type Daemon, startDaemon } from '../../../src/main/daemon.ts';
import { type ApiClient, apiClient } from '../../support/api-client.ts';
import { type TestInstallation, testInstallation } from '../../support/database.ts';

let installation: TestInstallation;
let daemon: Daemon;
let api: ApiClient;
let mailServer: SMTPServer;
/** Mails as the system's mail server took them. */
const mails: { from: string; to: string[]; text: string }[] = [];
let refuses = false;

beforeAll(async () => {
  const port = await startMailServer();
  installation = await testInstallation({ systemSmtpUrl: `smtp://127.0.0.1:${port}`, systemFrom: 'outreach@example.org' });
  daemon = await startDaemon(installation.app, { worker: false, databaseUrl: installation.databaseUrl });
  api = apiClient(daemon.url ?? '', installation.adminKey);
});
afterAll(async () => {
  await daemon?.stop();
  await new Promise((resolve) => mailServer.close(() => resolve(undefined)));
});

function startMailServer(): Promise<number> {
  mailServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      let text = '';
      stream.on('data', (chunk: Buffer) => {
        text += chunk;
      });
      stream.on('end', () => {
        if (refuses) return done(new Error('no'));
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({ from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address), text });
        done();
      });
    },
  });
  return new Promise((resolve) => {
    const socket = mailServer.listen(0, '127.0.0.1', () => resolve((socket.address() as { port: number }).port));
  });
}

let invited = 0;

/** Invites somebody new over the API; answers their id and the path of the link in their mail. */
async function invite(role = 'manager') {
  const email = `invited-${++invited}@example.com`;
  const { status, body } = await api.post('/users', { name: `Invited <b>${invited}</b>`, email, role });
  expect(status).toBe(201);
  const path = /\/invite\/[\w-]+/.exec(mails.at(-1)?.text ?? '')?.[0] ?? '';
  return { id: body.id as number, email, path };
}

const page = async (method: 'GET' | 'POST' | 'HEAD', path: string) => {
  const response = await fetch(`${daemon.url}${path}`, { method });
  return { status: response.status, headers: response.headers, html: await response.text() };
};

const keyIn = (html: string) => /ork_\w{40}/.exec(html)?.[0] ?? '';

describe('An invite e-mail', () => {
  it('goes to the new address, names itself automatic, and carries the link', async () => {
    const { email, path } = await invite();
    const mail = mails.at(-1);
    expect(mail).toMatchObject({ from: 'outreach@example.org', to: [email] });
    expect(mail?.text).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(path).toMatch(/^\/invite\/[\w-]{43}$/);
  });

  it('is not sent for an existing account', async () => {
    const before = mails.length;
    const { email } = await invite();
    await installation.app.db.query(sql`delete from memberships where user_id = (select id from users where email = ${email})`);
    expect((await api.post('/users', { name: 'Again', email, role: 'manager' })).status).toBe(201);
    expect(mails).toHaveLength(before + 1);
  });

  it('is sent after the commit and never when the change is rolled back', async () => {
    const before = mails.length;
    const work = installation.app.db.tx(async (tx) => {
      const app = { ...installation.app, db: installation.app.db.within(tx) };
      await inviteUser(app, installation.caller, { name: 'Ghost', email: 'ghost@example.com', role: 'manager' });
      throw new Error('rolled back');
    });
    await expect(work).rejects.toThrow('rolled back');
    expect(mails).toHaveLength(before);
  });

  it('is sent once when the request is repeated with its Idempotency-Key', async () => {
    const before = mails.length;
    const body = { name: 'Once', email: 'once@example.com', role: 'manager' };
    for (let attempt = 0; attempt < 2; attempt++)
      expect((await api.post('/users', body, { 'idempotency-key': 'invite-once' })).status).toBe(201);
    expect(mails).toHaveLength(before + 1);
  });

  it('that the server refuses leaves the person invited', async () => {
    refuses = true;
    const answer = await api.post('/users', { name: 'Unlucky', email: 'unlucky@example.com', role: 'manager' });
    refuses = false;
    expect(answer).toMatchObject({ status: 201, body: { pending_invite: true } });
  });
});

describe('The page behind the link', () => {
  it('GET shows a button and changes nothing, however often it is opened', async () => {
    const { id, path } = await invite();
    await page('HEAD', path);
    await page('GET', path);
    const { status, html, headers } = await page('GET', path);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(html).toContain('<form method="post"><button type="submit">');
    expect(keyIn(html)).toBe('');
    expect((await api.get(`/users/${id}`)).body.pending_invite).toBe(true);
    expect(await installation.app.db.query(sql`select 1 from api_keys where user_id = ${id}`)).toEqual([]);
  });

  it('POST clears pending_invite and shows the first key, which works; the link works once', async () => {
    const { id, email, path } = await invite('view_only');
    const { status, html } = await page('POST', path);
    expect(status).toBe(200);
    const me = await api.as(keyIn(html)).get('/me');
    expect(me).toMatchObject({ status: 200, body: { user_id: id, email, role: 'view_only' } });
    expect((await api.get(`/users/${id}`)).body.pending_invite).toBe(false);
    for (const method of ['GET', 'POST'] as const) {
      const again = await page(method, path);
      expect(again.status).toBe(404);
      expect(keyIn(again.html)).toBe('');
    }
  });

  it('pressed ten times at once it makes one key', async () => {
    const { id, path } = await invite();
    const answers = await Promise.all(Array.from({ length: 10 }, () => page('POST', path)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await installation.app.db.query(sql`select 1 from api_keys where user_id = ${id}`)).toHaveLength(1);
  });

  it('ends after 14 days', async () => {
    const { path } = await invite();
    const start = installation.clock.now();
    installation.clock.advance(14 * DAY - 1_000);
    expect((await page('GET', path)).status).toBe(200);
    installation.clock.advance(1_000);
    expect((await page('GET', path)).status).toBe(404);
    expect((await page('POST', path)).status).toBe(404);
    installation.clock.set(start);
  });

  it('is closed while the person is disabled', async () => {
    const { id, path } = await invite();
    await api.post(`/users/${id}/disable`);
    expect((await page('POST', path)).status).toBe(404);
    await api.post(`/users/${id}/enable`);
    expect((await page('POST', path)).status).toBe(200);
  });

  it('works without JavaScript under a policy that allows none, escapes names, and is never stored or framed', async () => {
    const { path } = await invite();
    const { html, headers } = await page('GET', path);
    expect(html).not.toMatch(/<script|onclick|<b>/i);
    expect(html).toContain('&lt;b&gt;');
    expect(html).toMatch(/<html lang="en">/);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('only a hash of the token is stored', async () => {
    const { path } = await invite();
    const token = path.slice('/invite/'.length);
    const dump = await installation.app.db.query<{ row: string }>(sql`
      select u::text as row from users u union all select a::text from audit_log a union all select k::text from api_keys k`);
    expect(dump.map(({ row }) => row).join('\n')).not.toContain(token);
  });

  it.each(['x', 'a'.repeat(43), '%00', '..%2f'])('an unknown token (%s) answers the same closed page', async (token) => {
    expect(await page('GET', `/invite/${token}`)).toMatchObject({ status: 404, html: expect.stringContaining('no longer valid') });
  });
});

import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inviteUser, systemMailServer } from '../../../src/access/index.ts';
import type { App } from '../../../src/app.ts';
import { DAY, MINUTE } from '../../../src/core/clock.ts';
import { sql } from '../../../src/db/statement.ts';
import { type Daemon, startDaemon } from '../../../src/main/daemon.ts';
import { type ApiClient, apiClient } from '../../support/api-client.ts';
import { type TestInstallation, testInstallation } from '../../support/database.ts';
import { member, workspace } from '../../support/people.ts';
import { refusal } from '../../support/served.ts';

let installation: TestInstallation;
let daemon: Daemon;
let api: ApiClient;
let mailServer: SMTPServer;
/** Emails that the system's mail server accepted. */
const mails: { from: string; to: string[]; text: string }[] = [];
let refuses = false;
let logins = 0;

beforeAll(async () => {
  const port = await startMailServer();
  installation = await testInstallation({ systemSmtpUrl: `smtp://127.0.0.1:${port}`, systemFrom: 'The Team <outreach@example.org>' });
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
    allowInsecureAuth: true,
    onAuth(_auth, _session, done) {
      logins++;
      done(null, { user: 'system' });
    },
    onData(stream, session, done) {
      let text = '';
      stream.on('data', (chunk: Buffer) => {
        text += chunk;
      });
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        if (refuses) return done(new Error(`no such user ${rcptTo[0]?.address}`));
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

/** Invites a new user over the API; returns their id and the path of the link in their email. */
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

  it('comes from the sender of the setting, by name, and holds no text that a key chose', async () => {
    await api.post('/users', { name: 'Win at http://evil.example now', email: 'plain@example.com', role: 'manager' });
    const { text = '' } = mails.at(-1) ?? {};
    expect(text).toMatch(/^From: The Team <outreach@example\.org>\r$/m);
    expect(text).toMatch(/^To: plain@example\.com\r$/m);
    expect(text).not.toContain('evil.example');
  });

  it('is emailed again after ten minutes at the earliest', async () => {
    const { id } = await invite();
    const before = mails.length;
    expect(await api.post(`/users/${id}/invite`)).toMatchObject(refusal(429, 'too_many_requests', 'less than ten minutes ago'));
    installation.clock.advance(10 * MINUTE);
    expect(await api.post(`/users/${id}/invite`)).toMatchObject({ status: 200, body: { is_emailed: true, invite_link: null } });
    expect(mails).toHaveLength(before + 1);
  });

  it('is one of 100 that the keys of a workspace have emailed in a day', async () => {
    const { key } = await member(installation.app, 'admin', { workspaceId: await workspace(installation.app) });
    const theirs = api.as(key);
    const [{ workspace_id: id } = { workspace_id: 0 }] = await installation.app.db.query<{ workspace_id: number }>(
      sql`select max(workspace_id) as workspace_id from memberships`,
    );
    await installation.app.db.query(sql`
      insert into users (name, email, invite_hash, invited_at, invite_workspace_id, created_at, updated_at)
      select 'n', 'bulk-' || n || '@example.com', null, ${installation.clock.now()}, ${id}, now(), now() from generate_series(1, 100) n`);
    const add = () => theirs.post('/users', { name: 'One more', email: 'more@example.com', role: 'manager' });
    expect(await add()).toMatchObject(refusal(429, 'too_many_requests', '100 invitations in the last 24 hours'));
    installation.clock.advance(DAY);
    expect((await add()).status).toBe(201);
  });

  it('neither logs in nor sends in clear where the URL demands TLS and the server offers none; the log has no address', async () => {
    const [before, loggedIn] = [mails.length, logins];
    const { systemSmtpUrl } = installation.app.config;
    const send = (query: string) => {
      const warnings: unknown[] = [];
      const log = { warn: (fields: object) => warnings.push(fields) } as unknown as App['log'];
      const config = { ...installation.app.config, systemSmtpUrl: `${systemSmtpUrl?.replace('//', '//system:secret@')}${query}` };
      const email = `tls-${++invited}@example.com`;
      return inviteUser({ ...installation.app, config, log }, installation.caller, { name: 'T', email, role: 'manager' }).then(
        (result) => ({
          ...{ isEmailed: result.inviteLink === null, email, warnings },
        }),
      );
    };
    const { isEmailed, email, warnings } = await send('?tls=required');
    expect({ isEmailed, mails: mails.length, logins }).toEqual({ isEmailed: false, mails: before, logins: loggedIn });
    expect(warnings).toEqual([{ user_id: expect.any(Number), reason: expect.stringContaining('STARTTLS') }]);
    refuses = true;
    const refused = await send('');
    refuses = false;
    expect(refused.warnings).toEqual([{ user_id: expect.any(Number), reason: expect.stringContaining('no such user …') }]);
    expect(JSON.stringify([warnings, refused.warnings])).not.toMatch(new RegExp(`${email}|${refused.email}`));
  });

  it('must be encrypted to every server that is not this machine, unless the URL says tls=off', () => {
    const tls = (systemSmtpUrl: string) => systemMailServer({ ...installation.app.config, systemSmtpUrl })?.server.tls;
    expect(tls('smtp://relay.example.com')).toBe('required');
    expect(tls('smtp://relay.example.com?tls=off')).toBe('off');
    expect(tls('smtp://127.0.0.1:2525')).toBe('off');
    expect(() => tls('smtp://relay.example.com?secure=no')).toThrow('OUTREACH_SYSTEM_SMTP_URL: unknown parameter');
  });

  it('is not sent for an existing account', async () => {
    const before = mails.length;
    const { email } = await invite();
    const elsewhere = await member(installation.app, 'admin', { workspaceId: await workspace(installation.app) });
    expect((await api.as(elsewhere.key).post('/users', { name: 'Again', email, role: 'manager' })).status).toBe(201);
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

import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addUser, operator } from '../../src/access/index.ts';
import {
  type ConnectInput,
  connectAccount,
  getAccount,
  type MailAccess,
  openImap,
  openSmtp,
  setAccountStatus,
  testAccount,
} from '../../src/accounts/index.ts';
import { sql } from '../../src/db/statement.ts';
import { parseMailUrl } from '../../src/mail/mail-url.ts';
import { SmtpSession } from '../../src/mail/smtp-session.ts';
import { createSealer } from '../../src/secrets/seal.ts';
import { clearAuditLog, TEST_START, type TestInstallation, testInstallation } from '../support/database.ts';
import { freePort, hasDovecot, type ImapServer, startImapServer } from '../support/imap-server.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';

const USER = 'zoe@example.com';
const PASSWORD = 'correct horse battery';
const users = { [USER]: PASSWORD };

let installation: TestInstallation;
let smtp: SmtpSink;
let imap: ImapServer;
let silent: Server;

beforeAll(async () => {
  installation = await testInstallation();
  smtp = await startSmtpSink({ users });
  imap = await startImapServer({ users });
  silent = createServer().listen(0, '127.0.0.1');
});
afterAll(async () => {
  await smtp?.close();
  await imap?.close();
  silent?.close();
});
beforeEach(async () => {
  smtp.behave();
  await installation.app.db.query(sql`delete from accounts`);
  await clearAuditLog(installation.app);
});

function access(protocol: 'smtp' | 'imap', url: string, pass = PASSWORD): MailAccess {
  const { server } = parseMailUrl(url.replace('://', `://${encodeURIComponent(USER)}@`), protocol);
  return { server, secret: { pass } };
}

const input = (change: Partial<ConnectInput> = {}): ConnectInput => ({
  email: USER,
  provider: 'smtp',
  smtp: access('smtp', `smtp://127.0.0.1:${smtp.port}`),
  imap: access('imap', `imap://127.0.0.1:${imap.port}`),
  ...change,
});

const connect = (change: Partial<ConnectInput> = {}, caller = installation.caller) =>
  connectAccount(installation.app, caller, input(change), 3);

/** Why connecting fails; after that nothing may be stored. */
async function refusal(change: Partial<ConnectInput>): Promise<string> {
  const message = await connect(change).then(
    () => 'connected',
    (error: Error) => error.message,
  );
  expect(await installation.app.db.query(sql`select id from accounts`)).toEqual([]);
  expect(message).not.toContain('\n');
  return message;
}

describe('connecting an account', () => {
  it('logs in to both servers and answers the account as the API shows it', async () => {
    const logins = smtp.logins;
    expect(await connect({ settings: { from_name: ' Zoë ', send_batch_max: 5 } })).toEqual({
      id: expect.any(Number),
      provider: 'smtp',
      email: USER,
      from_name: 'Zoë',
      status: 'active',
      daily_send_limit: 50,
      timezone: 'UTC',
      send_window_start_hour: 8,
      send_window_end_hour: 18,
      send_batch_min: 1,
      send_batch_max: 5,
      send_batch_interval_minutes: 10,
      pause_reason: null,
      pause_message: null,
      is_archived: false,
      connected_at: TEST_START.slice(0, 19).replace('T', ' '),
    });
    expect(smtp.logins).toBe(logins + 1);
  });

  it('an account without IMAP is fine: it is not polled', async () => {
    const { id } = await connect({ imap: undefined });
    expect(await openImap(installation.app, id)).toBeNull();
    expect(await testAccount(installation.app, installation.caller, id)).toMatchObject({ smtp: { problem: null }, imap: null });
  });

  it.each([
    ['SMTP', { smtp: () => access('smtp', `smtp://127.0.0.1:${smtp.port}`, 'wrong secret') }],
    ['IMAP', { imap: () => access('imap', `imap://127.0.0.1:${imap.port}`, 'wrong secret') }],
  ])('a wrong %s password is told with the server, the user and its words, and nothing is stored', async (protocol, change) => {
    const message = await refusal(Object.fromEntries(Object.entries(change).map(([name, make]) => [name, make()])));
    expect(message).toContain(`${protocol} server 127.0.0.1:`);
    expect(message).toContain(`refused the login of ${USER}`);
    expect(message).toMatch(/check user and password/);
    expect(message).not.toContain('wrong secret');
  });

  it('reports the problems of both servers at once', async () => {
    const message = await refusal({
      smtp: access('smtp', `smtp://127.0.0.1:${smtp.port}`, 'wrong'),
      imap: access('imap', `imap://127.0.0.1:${await freePort()}`),
    });
    expect(message).toMatch(/SMTP server .* refused the login .* \| IMAP server .*: connection refused/);
  });

  // Each waits until a server's time is over: all at once.
  it('a port where nothing listens, a name that is unknown, a server that says nothing', async () => {
    const { port } = silent.address() as { port: number };
    const closed = await freePort();
    const cases = (['smtp', 'imap'] as const).flatMap((protocol) => [
      { protocol, url: `${protocol}://127.0.0.1:${closed}`, says: /connection refused/ },
      { protocol, url: `${protocol}://nowhere.invalid:2525`, says: /is not in DNS|in time/ },
      { protocol, url: `${protocol}://127.0.0.1:${port}`, says: /doesn't respond in time/ },
      { protocol, url: `${protocol}s://127.0.0.1:${port}`, says: /doesn't respond in time/ },
    ]);
    await Promise.all(
      cases.map(async ({ protocol, url, says }) => expect(await refusal({ [protocol]: access(protocol, url) }), url).toMatch(says)),
    );
  });

  it('a server that refuses before the login, or cuts the connection', async () => {
    smtp.misbehave('connect', { code: 554, text: 'no service for you' }, { times: 1 });
    expect(await refusal({})).toMatch(/refused the connection \(greeting: 554 no service for you\)/);
    smtp.misbehave('auth', 'close', { times: 1 });
    expect(await refusal({})).toMatch(/SMTP server 127\.0\.0\.1:\d+ failed \(.*closed.*\)/i);
    smtp.misbehave('auth', { code: 535, text: `5.7.8 what is ${PASSWORD}` }, { times: 1 });
    expect(await refusal({})).toContain('535 5.7.8 what is ***');
  });
});

describe('TLS', () => {
  it.each(['implicit', 'starttls'] as const)('a certificate that nobody vouches for is refused (%s)', async (tls) => {
    const servers = [await startSmtpSink({ users, tls }), hasDovecot ? await startImapServer({ users, tls }) : undefined] as const;
    const [s, end] = tls === 'implicit' ? ['s', ''] : ['', '?tls=required'];
    expect(await refusal({ smtp: access('smtp', `smtp${s}://127.0.0.1:${servers[0].port}${end}`) })).toMatch(
      /certificate is not trusted \(self-signed certificate\)/,
    );
    if (servers[1] !== undefined)
      expect(await refusal({ imap: access('imap', `imap${s}://127.0.0.1:${servers[1].port}${end}`) })).toMatch(
        /certificate is not trusted/,
      );
    for (const server of servers) await server?.close();
  });

  it('distinguishes a server without STARTTLS from TLS on a plaintext port', async () => {
    expect(await refusal({ smtp: access('smtp', `smtp://127.0.0.1:${smtp.port}?tls=required`) })).toMatch(/SMTP .*offers no STARTTLS/);
    expect(await refusal({ imap: access('imap', `imap://127.0.0.1:${imap.port}?tls=required`) })).toMatch(/IMAP .*offers no STARTTLS/);
    expect(await refusal({ smtp: access('smtp', `smtps://127.0.0.1:${smtp.port}`) })).toMatch(/SMTP .*no TLS on this port/);
    expect(await refusal({ imap: access('imap', `imaps://127.0.0.1:${imap.port}`) })).toMatch(/IMAP .*no TLS on this port/);
  });
});

describe('stored credentials', () => {
  it('are sealed: no password is in any row or in the audit log, and the sender can open them', async () => {
    const { app } = installation;
    const { id } = await connect();
    const dump = await app.db.query<{ text: string }>(sql`
      select a::text as text from accounts a union all select l::text from audit_log l`);
    expect(dump.length).toBeGreaterThan(1);
    expect(dump.map(({ text }) => text).join('\n')).not.toContain(PASSWORD);
    expect(await openSmtp(app, id)).toMatchObject({ host: '127.0.0.1', port: smtp.port, user: USER, pass: PASSWORD, requireTLS: false });
    expect(await openImap(app, id)).toMatchObject({ host: '127.0.0.1', port: imap.port, user: USER, pass: PASSWORD });
    const session = await SmtpSession.open(await openSmtp(app, id));
    expect(session).toBeInstanceOf(SmtpSession);
    if (session instanceof SmtpSession) session.close();
  });

  it('do not open in another row, in another column, or under another secret key', async () => {
    const { app } = installation;
    const { id } = await connect();
    const { id: other } = await connect({ email: 'other@example.com' });
    await app.db.query(sql`update accounts set smtp_secret = (select smtp_secret from accounts where id = ${id}) where id = ${other}`);
    await app.db.query(sql`update accounts set imap_secret = smtp_secret where id = ${id}`);
    await expect(openSmtp(app, other)).rejects.toThrow(`the credentials of account ${other} can't be decrypted`);
    await expect(openImap(app, id)).rejects.toThrow("can't be decrypted");
    const foreign = { ...app, sealer: createSealer(Buffer.alloc(32, 7).toString('base64url')) };
    await expect(openSmtp(foreign, id)).rejects.toThrow(/encrypted with another secret/);
  });
});

describe('a changed database row cannot send a password elsewhere: credentials are bound to server, port, user and row', () => {
  it.each([
    ['another host', { host: 'localhost' }],
    ['another port', { port: 9 }],
    ['another user', { user: 'mallory' }],
    ['no TLS', { tls: 'required' }],
    ['another kind of TLS', { secure: true }],
  ])('%s: neither opens', async (_, change) => {
    const { app } = installation;
    const { id } = await connect();
    const json = JSON.stringify(change);
    await app.db.query(sql`update accounts set smtp = smtp || ${json}::jsonb, imap = imap || ${json}::jsonb where id = ${id}`);
    await expect(openSmtp(app, id)).rejects.toThrow(
      `the credentials of account ${id} can't be decrypted: it was changed, or belongs to another`,
    );
    await expect(openImap(app, id)).rejects.toThrow(
      `the credentials of account ${id} can't be decrypted: it was changed, or belongs to another`,
    );
    await connect();
    expect(await openSmtp(app, id)).toMatchObject({ port: smtp.port, pass: PASSWORD });
  });

  it('another provider neither, since a refresh token would go to that one', async () => {
    const { app } = installation;
    const { id } = await connect();
    await app.db.query(sql`update accounts set provider = 'google' where id = ${id}`);
    await expect(openSmtp(app, id)).rejects.toThrow("can't be decrypted");
  });
});

describe('connecting an address again', () => {
  it('updates servers and credentials, and keeps the account, its settings and its IMAP server', async () => {
    const first = await connect({ settings: { daily_send_limit: 7 } });
    const second = await startSmtpSink({ users: { [USER]: 'new password' } });
    installation.clock.advance(1_000);
    const again = await connect({
      email: 'ZOE@example.com',
      smtp: access('smtp', `smtp://127.0.0.1:${second.port}`, 'new password'),
      imap: undefined,
      settings: { from_name: 'Z' },
    });
    expect(again).toMatchObject({ id: first.id, email: USER, daily_send_limit: 7, from_name: 'Z', status: 'active' });
    expect(again.connected_at > first.connected_at).toBe(true);
    expect(await openSmtp(installation.app, first.id)).toMatchObject({ port: second.port, pass: 'new password' });
    expect(await openImap(installation.app, first.id)).toMatchObject({ port: imap.port, pass: PASSWORD });
    const audit = await installation.app.db.query(sql`select action from audit_log order by id`);
    expect(audit).toEqual([{ action: 'account.connect' }, { action: 'account.reconnect' }]);
    await second.close();
  });

  it('a wrong password leaves the stored one', async () => {
    const { id } = await connect();
    await expect(connect({ smtp: access('smtp', `smtp://127.0.0.1:${smtp.port}`, 'wrong') })).rejects.toThrow('nothing was stored');
    expect(await openSmtp(installation.app, id)).toMatchObject({ pass: PASSWORD });
  });

  it('a disconnected account is one that can be resumed', async () => {
    const { app, caller } = installation;
    const { id } = await connect();
    await app.db.tx((tx) =>
      setAccountStatus(tx, app, caller, id, { status: 'disconnected', pause_reason: 'provider_error', pause_message: '535 no' }),
    );
    expect(await getAccount(app.db, caller, id)).toMatchObject({
      status: 'disconnected',
      pause_reason: 'provider_error',
      pause_message: '535 no',
    });
    expect(await connect()).toMatchObject({ id, status: 'paused', pause_reason: 'provider_error' });
  });

  it('two at once make one account, and another workspace has its own', async () => {
    const [one, two] = await Promise.all([connect(), connect()]);
    expect(one.id).toBe(two.id);
    const [elsewhere] = await installation.app.db.query<{ id: number }>(
      sql`insert into workspaces (name, created_at, updated_at) values ('Elsewhere', now(), now()) returning id`,
    );
    expect((await connect({}, operator(elsewhere?.id ?? 0))).id).not.toBe(one.id);
  });

  it('a deleted account stays deleted', async () => {
    const { id } = await connect();
    await installation.app.db.query(sql`update accounts set deleted_at = now() where id = ${id}`);
    expect((await connect()).id).not.toBe(id);
  });
});

it('an account in somebody else’s name needs a member of the workspace', async () => {
  const { app, caller } = installation;
  const { id } = await app.db.tx((tx) => addUser(tx, app, caller, { email: 'owner@example.com', name: 'Owner', role: 'manager' }));
  await expect(connect({}, operator(1, 999_999))).rejects.toThrow(/^owner: /);
  const account = await connect({}, operator(1, id));
  expect(await app.db.query(sql`select created_by from accounts where id = ${account.id}`)).toEqual([{ created_by: id }]);
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectAccount, openMailbox, openSmtp, openSmtpSession } from '../../src/accounts/index.ts';
import type { App } from '../../src/app.ts';
import { activateCampaign, addStep, createCampaign, enrol, refreshIdleTokens } from '../../src/campaigns/index.ts';
import { DAY, MINUTE } from '../../src/core/clock.ts';
import { loadConfig } from '../../src/core/config.ts';
import { sql } from '../../src/db/statement.ts';
import { MailboxPoller } from '../../src/inbound/index.ts';
import { SmtpSession } from '../../src/mail/smtp-session.ts';
import { openRuntime } from '../../src/main/runtime.ts';
import { loadSignIn, type OAuthProvider } from '../../src/oauth/index.ts';
import { clearAuditLog, TEST_START, type TestInstallation, testInstallation } from '../support/database.ts';
import { type ImapServer, startImapServer } from '../support/imap-server.ts';
import { type OAuthServer, signInAt, startOAuthServer } from '../support/oauth-server.ts';
import { exchange } from '../support/raw-http.ts';
import { insertContact, rowOf } from '../support/rows.ts';
import { TEST_SECRET } from '../support/secret.ts';
import { batchesOf } from '../support/sender.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';

const USER = 'zoe@example.com';
const tokens: Record<string, string> = { [USER]: 'none yet' };
const servers = { users: { [USER]: 'no password' }, tokens };

let installation: TestInstallation;
let app: App;
let provider: OAuthServer;
let smtp: SmtpSink;
let imap: ImapServer;

beforeAll(async () => {
  provider = await startOAuthServer(USER, tokens);
  const settings = { googleClientId: 'our-client', googleClientSecret: 'our-secret', googleOauthUrl: provider.url };
  installation = await testInstallation(settings);
  app = installation.app;
  smtp = await startSmtpSink(servers);
  imap = await startImapServer(servers);
});
afterAll(async () => {
  await smtp?.close();
  await imap?.close();
  await provider?.close();
});
beforeEach(async () => {
  await app.db.pool.query('truncate accounts cascade');
  await clearAuditLog(app);
  installation.clock.set(TEST_START);
  provider.grants.length = 0;
  provider.refuse('', 0);
  smtp.behave();
});

/** The beginning of a sign-in, as the command and the installation make it together. */
async function begun(provider: OAuthProvider, port: number) {
  const { challengeOf, newSignIn, signInAddress } = await loadSignIn();
  const secrets = newSignIn();
  const url = signInAddress(app, provider, { email: USER, port, state: secrets.state, challenge: await challengeOf(secrets) });
  return { ...secrets, port, url, isAnswer: (address: URL) => address.searchParams.get('state') === secrets.state };
}

/** Carries out the whole sign-in, as the command does, and connects the account. */
async function connected(): Promise<number> {
  const { finishSignIn, startLoopback } = await loadSignIn();
  const loopback = await startLoopback();
  const attempt = await begun('google', loopback.port);
  const answer = loopback.answer(attempt.isAnswer);
  expect(await (await signInAt(attempt.url.href)).text()).toContain('You can close this page');
  const given = await finishSignIn(app, 'google', { ...attempt, answer: await answer });
  loopback.close();
  const server = (port: number) => ({ host: '127.0.0.1', port, secure: false, tls: 'off', user: USER }) as const;
  const access = { smtp: { server: server(smtp.port), secret: {} }, imap: { server: server(imap.port), secret: {} } };
  return (await connectAccount(app, installation.caller, { email: USER, provider: 'google', ...access, tokens: given })).id;
}

const refreshes = () => provider.grants.filter(({ grant_type }) => grant_type === 'refresh_token');
const stateOf = async (id: number) => {
  const { status, pause_reason, pause_message } = await rowOf(app, 'accounts', id);
  return { status, pause_reason, pause_message };
};

describe('a token is bound to its servers, as a password is', () => {
  it.each(['smtp', 'imap'] as const)('a changed row of %s sends it nowhere', async (protocol) => {
    const id = await connected();
    const open = protocol === 'smtp' ? () => openSmtp(app, id) : () => openMailbox(app, id);
    (await openMailbox(app, id))?.close();
    await app.db.pool.query(`update accounts set ${protocol} = ${protocol} || '{"host": "localhost"}' where id = $1`, [id]);
    await expect(open()).rejects.toThrow(`the credentials of account ${id} can't be decrypted`);
  });
});

describe('signing in', () => {
  it('other programs of the machine can ask the loopback address for anything: they are turned away, and it goes on', async () => {
    const { startLoopback } = await loadSignIn();
    const loopback = await startLoopback();
    try {
      for (const path of ['//', '/callback', '/', '*'])
        expect(await exchange(`http://127.0.0.1:${loopback.port}`, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`), path).toMatchObject({
          status: 404,
        });
    } finally {
      loopback.close();
    }
  });

  it('asks with PKCE (RFC 7636), state and the scope of the mailbox, at a loopback address (RFC 8252)', async () => {
    const { url } = await begun('google', 4711);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'our-client',
      redirect_uri: 'http://127.0.0.1:4711/callback',
      scope: 'https://mail.google.com/',
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      login_hint: USER,
      access_type: 'offline',
      prompt: 'consent',
    });
  });

  it('exchanges the code with its verifier, stores the tokens sealed, and enters both servers by XOAUTH2', async () => {
    const id = await connected();
    expect(provider.grants).toMatchObject([
      { grant_type: 'authorization_code', code_verifier: expect.stringMatching(/^[\w-]{43}$/), client_secret: 'our-secret' },
    ]);
    const row = await rowOf(app, 'accounts', id);
    expect(row).toMatchObject({ provider: 'google', status: 'active' });
    const audit = await app.db.query(sql`select changes from audit_log`);
    expect(JSON.stringify([row, audit])).not.toMatch(/access-\d|refresh-\d|our-secret/);
    const session = await openSmtpSession(app, id);
    expect(session).toBeInstanceOf(SmtpSession);
    (session as SmtpSession).close();
    const mailbox = await openMailbox(app, id);
    expect(mailbox?.usable).toBe(true);
    await mailbox?.logout();
  });

  it('turns requests away that do not carry its state, and goes on waiting', async () => {
    const loopback = await (await loadSignIn()).startLoopback();
    const attempt = await begun('google', loopback.port);
    const answer = loopback.answer(attempt.isAnswer);
    const address = `http://127.0.0.1:${loopback.port}/callback`;
    for (const wrong of [`${address}?code=x`, `${address}?code=x&state=guessed`, `http://127.0.0.1:${loopback.port}/favicon.ico`])
      expect((await fetch(wrong)).status).toBe(404);
    expect((await signInAt(attempt.url.href)).status).toBe(200);
    expect((await answer).searchParams.get('code')).toBeTruthy();
    loopback.close();
  });

  it('says in one line what the provider said no to', async () => {
    const { finishSignIn } = await loadSignIn();
    const attempt = await begun('google', 1);
    const answer = new URL(`http://127.0.0.1:1/callback?error=access_denied&state=${attempt.state}`);
    await expect(finishSignIn(app, 'google', { ...attempt, answer })).rejects.toThrow(
      'nothing was stored: google refused the sign-in (access_denied); run the command again',
    );
  });

  it('names the setting where Outreach was never registered at the provider', async () => {
    await expect(begun('microsoft', 1)).rejects.toThrow('setting OUTREACH_MICROSOFT_CLIENT_ID is required to sign in with microsoft');
  });
});

describe('access tokens', () => {
  it('are renewed minutes before they run out, once for all who ask; a rotated refresh token is kept', async () => {
    const id = await connected();
    const first = provider.current;
    expect((await openSmtp(app, id)).accessToken).toBe(first);
    installation.clock.advance(56 * MINUTE);
    const logins = await Promise.all(Array.from({ length: 10 }, () => openSmtp(app, id)));
    // Who comes while another renews it may use the old one, which has minutes left.
    for (const { accessToken } of logins) expect([first, provider.current]).toContain(accessToken);
    expect(refreshes()).toHaveLength(1);
    expect((await openSmtp(app, id)).accessToken).toBe(provider.current);
    const rotated = provider.current.replace('access', 'refresh');
    installation.clock.advance(56 * MINUTE);
    await openSmtp(app, id);
    expect(refreshes().at(-1)?.refresh_token).toBe(rotated);
  });

  it('two daemons that find it run out at the same time renew it once, and both get the new one', async () => {
    const id = await connected();
    const { dataDir, databaseUrl } = installation;
    const settings = { googleClientId: 'our-client', googleOauthUrl: provider.url, logLevel: 'silent' };
    const other = await openRuntime(loadConfig({ dataDir, databaseUrl, secretKey: TEST_SECRET, ...settings }, {}), { clock: app.clock });
    installation.clock.advance(61 * MINUTE);
    const logins = await Promise.all([openSmtp(app, id), openSmtp(other.app, id), openSmtp(app, id), openSmtp(other.app, id)]);
    expect(logins.map((login) => login.accessToken)).toEqual(Array(4).fill(provider.current));
    expect(refreshes()).toHaveLength(1);
    await other.close();
  });

  it('what a refresher that died has left behind does not last', async () => {
    const id = await connected();
    installation.clock.advance(61 * MINUTE);
    await app.db.query(sql`update accounts set token_lease_until = now() - interval '1 second' where id = ${id}`);
    expect((await openSmtp(app, id)).accessToken).toBe(provider.current);
    expect(refreshes()).toHaveLength(1);
  });

  it('one that a server refuses before its time is renewed, once', async () => {
    const id = await connected();
    tokens[USER] = 'revoked early';
    const session = await openSmtpSession(app, id);
    expect(session).toBeInstanceOf(SmtpSession);
    (session as SmtpSession).close();
    tokens[USER] = 'revoked again';
    const mailbox = await openMailbox(app, id);
    expect(mailbox?.usable).toBe(true);
    await mailbox?.logout();
    expect(refreshes()).toHaveLength(2);
  });

  it('of an idle account are renewed, so that the provider does not expire them', async () => {
    const id = await connected();
    await refreshIdleTokens(app);
    expect(refreshes()).toHaveLength(0);
    installation.clock.advance(8 * DAY);
    await refreshIdleTokens(app);
    await refreshIdleTokens(app);
    expect(refreshes()).toHaveLength(1);
    expect((await stateOf(id)).status).toBe('active');
  });
});

describe('a provider that gives no token', () => {
  /** A connected account whose token has expired, and an active campaign with a due email. */
  async function withMailDue(): Promise<{ id: number; campaign: number }> {
    const { caller } = installation;
    const id = await connected();
    const campaign = await createCampaign(app, caller, { name: 'Spring', account_id: id });
    const step = { subject: 'Hello', body_html: '<p>Hello</p>', subject_b: null, body_html_b: null, wait_days: 0, kind: 'email' } as const;
    await addStep(app, caller, campaign.id, step);
    await enrol(app, caller, campaign.id, { contact_ids: [await insertContact(app)] });
    await activateCampaign(app, caller, campaign.id, null);
    installation.clock.advance(61 * MINUTE);
    return { id, campaign: campaign.id };
  }

  it.each([
    'a batch',
    'a poll',
    'the hourly look',
  ] as const)('that has withdrawn its consent (invalid_grant) disconnects the account and pauses its campaigns, at %s', async (at) => {
    const { id, campaign } = await withMailDue();
    provider.refuse('invalid_grant');
    if (at === 'a batch') await batchesOf(app).run(id);
    else if (at === 'a poll') await new MailboxPoller(app).poll(id);
    else {
      installation.clock.advance(8 * DAY);
      await refreshIdleTokens(app);
    }
    expect(await stateOf(id)).toEqual({
      status: 'disconnected',
      pause_reason: 'provider_error',
      pause_message: `google no longer grants access to ${USER} (invalid_grant: Token has been revoked.); to reconnect it, run: outreach account connect ${USER} --provider google`,
    });
    expect((await rowOf(app, 'campaigns', campaign)).status).toBe('paused');
    expect(await app.db.query(sql`select action, actor from audit_log where action like '%disconnect'`)).toEqual([
      { action: 'account.disconnect', actor: 'system' },
    ]);
    await connected();
    expect(await stateOf(id)).toMatchObject({ status: 'paused', pause_reason: 'provider_error' });
  });

  it.each([
    ['is down', 503],
    ['does not know us any more', 'invalid_client'],
  ] as const)('because it %s is asked again later; the account and its mail wait', async (_, error) => {
    const { id, campaign } = await withMailDue();
    provider.refuse(error);
    await batchesOf(app).run(id);
    expect(await stateOf(id)).toMatchObject({ status: 'active' });
    expect(await rowOf(app, 'accounts', id)).toMatchObject({ connection_failures: 1, token_lease_until: null });
    expect((await rowOf(app, 'campaigns', campaign)).status).toBe('active');
    expect(smtp.messages).toEqual([]);
    installation.clock.advance(30 * MINUTE);
    await batchesOf(app).run(id);
    expect(await smtp.waitFor(1)).toMatchObject([{ user: USER }]);
    smtp.messages.length = 0;
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSmtp } from '../../src/accounts/index.ts';
import { sql } from '../../src/db/statement.ts';
import { type Cli, cliOf, refuse } from '../support/cli.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { type ImapServer, startImapServer } from '../support/imap-server.ts';
import { type OAuthServer, signInAt, startOAuthServer } from '../support/oauth-server.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';

const USER = 'zoe@example.com';
const tokens: Record<string, string> = { [USER]: 'none yet' };
const servers = { users: { [USER]: 'no password' }, tokens };

let installation: TestInstallation;
let cli: Cli;
let provider: OAuthServer;
let smtp: SmtpSink;
let imap: ImapServer;
let env: Record<string, string>;

beforeAll(async () => {
  provider = await startOAuthServer(USER, tokens);
  installation = await testInstallation({ microsoftClientId: 'our-client', microsoftOauthUrl: provider.url });
  cli = cliOf(installation);
  smtp = await startSmtpSink(servers);
  imap = await startImapServer(servers);
  env = { OUTREACH_MICROSOFT_CLIENT_ID: 'our-client', OUTREACH_MICROSOFT_OAUTH_URL: provider.url };
});
afterAll(async () => {
  await smtp?.close();
  await imap?.close();
  await provider?.close();
});

const connect = () => [
  ...['account', 'connect', USER, '--provider', 'microsoft', '--no-browser', '--daily-limit', '9'],
  ...['--smtp-url', `smtp://zoe%40example.com@127.0.0.1:${smtp.port}`],
  ...['--imap-url', `imap://zoe%40example.com@127.0.0.1:${imap.port}`],
];

/** Returns a user who signs in once the URL is printed. */
function person(): (stderr: string) => void {
  let isDone = false;
  return (stderr) => {
    const [address] = /http:\/\/\S+\/authorize\?\S+(?=\n)/.exec(stderr) ?? [];
    if (address === undefined || isDone) return;
    isDone = true;
    void signInAt(address);
  };
}

describe('outreach account connect --provider', () => {
  it('prints where to sign in, waits for the browser, and stores the tokens; stdout holds the account alone', async () => {
    const answer = await cli([...connect(), '--json'], { env, watch: person() });
    expect(answer.status, answer.stderr).toBe(0);
    expect(answer.json()).toMatchObject({ provider: 'microsoft', email: USER, status: 'active', daily_send_limit: 9 });
    expect(answer.stderr).toContain(`Sign in as ${USER} at this address:`);
    expect(answer.stderr + answer.stdout).not.toMatch(/access-\d|refresh-\d/);
    expect(provider.grants.at(-1)).toMatchObject({ redirect_uri: expect.stringMatching(/^http:\/\/localhost:\d+\/callback$/) });
    expect((await openSmtp(installation.app, answer.json().id)).accessToken).toBe(provider.current);
  });

  it('connects a disconnected account again; it sends at once', async () => {
    await installation.app.db.query(
      sql`update accounts set status = 'disconnected', pause_reason = 'provider_error', pause_message = 'invalid_grant'`,
    );
    const answer = await cli([...connect(), '--json'], { env, watch: person() });
    expect(answer.json()).toMatchObject({ status: 'active', pause_reason: null, pause_message: null });
  });

  it('says in one line that the person said no, and stores nothing', async () => {
    const before = await installation.app.db.query(sql`select * from accounts`);
    provider.deny('access_denied');
    const answer = await cli(connect(), { env, watch: person() });
    expect(answer).toMatchObject({ status: 1, stdout: '' });
    expect(answer.stderr).toMatch(
      /\noutreach: nothing was stored: microsoft refused the sign-in \(access_denied\); run the command again\n$/,
    );
    expect(await installation.app.db.query(sql`select * from accounts`)).toEqual(before);
  });

  it('says what is missing where Outreach is not registered, before it asks anybody anything', async () => {
    expect(await refuse(cli, 2, 'account', 'connect', USER, '--provider', 'google')).toContain(
      'setting OUTREACH_GOOGLE_CLIENT_ID is required',
    );
    expect(await refuse(cli, 2, 'account', 'connect', 'nobody', '--provider', 'google')).toContain('email: ');
  });

  it('takes a password that is given, an app password for example, and signs in nowhere', async () => {
    const asked = provider.grants.length;
    const answer = await cli(connect(), { env: { ...env, OUTREACH_SMTP_PASSWORD: 'no password' } });
    expect(answer.stderr).toBe('');
    expect(answer.status).toBe(0);
    expect(provider.grants).toHaveLength(asked);
    const [row] = await installation.app.db.query(sql`select provider, token_expires_at from accounts`);
    expect(row).toEqual({ provider: 'microsoft', token_expires_at: null });
  });
});

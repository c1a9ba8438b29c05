import { describe, expect, it, vi } from 'vitest';
import { getAccount, getAccountDetails, testAccount } from '../../src/accounts/index.ts';
import { sealSmtpSecret } from '../../src/accounts/secret.ts';
import { sql } from '../../src/db/statement.ts';
import { explainCampaign } from '../../src/sending/index.ts';
import { headline } from '../../src/terminal/account-page.ts';
import { type SmtpScript, startHostileSmtp } from '../support/hostile/smtp.ts';
import { type Sender, sendingInstallation, startSender } from '../support/sender.ts';

const { installation } = await sendingInstallation();
const { app, caller } = installation;

/** Runs a batch and an account test on a server with this script, and returns everything that an operator then reads. */
async function seen(script: SmtpScript, tls: 'off' | 'required' = 'off') {
  const server = await startHostileSmtp();
  const one: Sender = await startSender(installation, server);
  const login = { host: '127.0.0.1', port: server.port, secure: false, tls, user: 'me' };
  const secret = sealSmtpSecret(app, { id: one.accountId, provider: 'smtp', server: login }, { pass: 'secret' });
  await app.db.query(sql`update accounts set smtp = ${JSON.stringify(login)}::jsonb, smtp_secret = ${secret} where id = ${one.accountId}`);
  server.deviate(script);
  const warn = vi.spyOn(app.log, 'warn');
  await one.batch();
  const logged = warn.mock.calls.map(([fields]) => JSON.stringify(fields)).join('\n');
  warn.mockRestore();
  const account = await getAccount(app.db, caller, one.accountId);
  const details = await getAccountDetails(app.db, caller, one.accountId);
  const { reasons } = await explainCampaign(app, caller, one.campaignId);
  const { smtp } = await testAccount(app, caller, one.accountId, 5);
  await server.close();
  const words = account.pause_message ?? details.connection_error ?? '';
  const told = {
    'account show': `${headline(account)}\n${details.connection_error}`,
    explain: reasons.join(' '),
    'account test': smtp.problem ?? '',
  };
  return { account, words, told: { ...told, log: logged }, lines: server.lines };
}

describe('a server that refuses a command before any email', () => {
  it.each<[string, SmtpScript, 'off' | 'required']>([
    ['greeting', { greeting: '554 5.7.1 client host [192.0.2.1] blocked using zen.spamhaus.org' }, 'off'],
    ['EHLO', { EHLO: '550 5.7.1 access denied, see https://postmaster.example/1', HELO: '503 5.5.1 bad sequence' }, 'off'],
    ['EHLO', { EHLO: '550 5.7.1 access denied, see https://postmaster.example/1' }, 'off'],
    ['EHLO', { EHLO: '504 5.5.2 <outreach>: Helo command rejected: need fully-qualified hostname' }, 'required'],
    ['HELO', { EHLO: '502 5.5.1 unknown command', HELO: '550 5.7.1 your host name is not welcome' }, 'off'],
    ['STARTTLS', { EHLO: '250-mx.example.net\r\n250 STARTTLS', STARTTLS: '554 5.7.3 TLS certificate expired' }, 'required'],
    ['AUTH PLAIN', { AUTH: '535 5.7.8 Username and Password not accepted' }, 'off'],
  ])('%s: the account pauses, and everything names the command and the words: %j', async (command, script, tls) => {
    const { account, words, told } = await seen(script, tls);
    const said = script[command.split(' ')[0] as keyof SmtpScript];
    expect(account).toMatchObject({ status: 'paused', pause_reason: 'provider_error', pause_message: `${command}: ${said}` });
    for (const [where, text] of Object.entries(told)) expect(text, where).toContain(words);
  });

  it.each<[string, SmtpScript, 'off' | 'required']>([
    ['greeting', { greeting: '421 4.3.2 System not accepting network messages' }, 'off'],
    ['EHLO', { EHLO: '450 4.7.1 come back in an hour' }, 'off'],
    [
      'STARTTLS',
      { EHLO: '250-mx.example.net\r\n250 STARTTLS', STARTTLS: '454 4.7.0 TLS not available due to temporary reason' },
      'required',
    ],
    ['AUTH PLAIN', { AUTH: '454 4.7.0 Temporary authentication failure' }, 'off'],
  ])('%s for a moment: the account waits, and everything names the command and the words: %j', async (command, script, tls) => {
    const { account, words, told } = await seen(script, tls);
    expect(account.status).toBe('active');
    expect(words).toBe(`${command}: ${script[command.split(' ')[0] as keyof SmtpScript]}`);
    for (const [where, text] of Object.entries(told)) expect(text, where).toContain(words);
  });

  it('a server that knows neither EHLO nor a login says so, and gets no password', async () => {
    const { words, told, lines } = await seen({ EHLO: '502 5.5.1 unknown command' });
    expect(words).toBe('AUTH: 504 5.5.4 the server offers no login (AUTH), and none of CRAM-MD5, PLAIN, LOGIN');
    expect(told['account test']).toContain('offers no login mechanism that Outreach supports');
    expect(lines.slice(lines.lastIndexOf('EHLO')).join()).not.toMatch(/AUTH|c2VjcmV0/);
  });
});

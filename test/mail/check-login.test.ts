import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { presetServers } from '../../src/accounts/index.ts';
import { checkMailbox, smtpProblem } from '../../src/mail/check-login.ts';
import { type LoginFailure, loginProblem } from '../../src/mail/login-problem.ts';
import { refuse } from '../support/hostile/deviations.ts';
import { type Deviation, startHostileImap } from '../support/hostile/imap.ts';

let server: Server | undefined;
const sockets = new Set<Socket>();

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server?.close();
});

/** Starts a server that greets, and then sends a byte now and then, forever. */
async function tricklingServer(greeting: string, bytes: string): Promise<number> {
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.write(greeting);
    socket.once('data', () => {
      const timer = setInterval(() => socket.write(bytes), 50);
      socket.once('close', () => clearInterval(timer));
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

describe('a server that sends a byte now and then', () => {
  const login = { host: '127.0.0.1', secure: false, requireTLS: false, user: 'u', pass: 'p', name: 'localhost' };

  it('SMTP: times out at the limit', async () => {
    const port = await tricklingServer('220 hello\r\n', '250-x\r\n');
    expect(await smtpProblem({ ...login, port }, 1)).toMatch(/^SMTP server 127\.0\.0\.1:\d+: doesn't respond in time/);
  });

  it('IMAP: times out at the limit', async () => {
    const port = await tricklingServer('* OK hello\r\n', '* OK still here\r\n');
    expect((await checkMailbox({ ...login, port }, [], 1)).problem).toMatch(/^IMAP server 127\.0\.0\.1:\d+: doesn't respond in time/);
  });
});

describe('the advice in one line', () => {
  const tell = (failure: Partial<LoginFailure>) =>
    loginProblem({
      protocol: 'SMTP',
      server: { host: 'smtp.example.com', port: 587 },
      user: 'zoe',
      stage: 'login',
      text: '',
      isStartTls: true,
      ...failure,
    });

  it.each([
    ['534 5.7.9 Application-specific password required.', /Google requires an app password or --provider google$/],
    ['534 5.7.14 Please log in with your web browser', /--provider google$/],
    ['535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant.', /--provider microsoft$/],
    ['550 5.7.30 Basic authentication is not supported for Client Submission.', /--provider microsoft$/],
    ['538 5.7.11 Encryption required for requested authentication mechanism', /\?tls=required/],
    ['535 5.7.8 Error: authentication failed', /check user and password$/],
  ])('%s', (text, advice) => {
    expect(tell({ text })).toMatch(advice);
    expect(tell({ text })).toContain(`SMTP server smtp.example.com:587 refused the login of zoe (${text})`);
  });

  it('one line of bounded length, whatever the server says', () => {
    const line = tell({ text: `535-one\r\n535 two\u001b[31m ${'x'.repeat(5_000)}` });
    expect(line).not.toMatch(/\p{Cc}/u);
    expect(line.length).toBeLessThan(500);
  });

  it.each([
    ['getaddrinfo ENOTFOUND smtp.example.com', 'is not in DNS'],
    ['connect EHOSTUNREACH 10.0.0.1:587', "can't be reached"],
    ["Hostname/IP does not match certificate's altnames: Host: a. is not cert's CN: b", 'certificate is not trusted'],
    ['certificate has expired', 'certificate is not trusted (certificate has expired)'],
    ['Connection closed unexpectedly', 'failed (Connection closed unexpectedly)'],
  ])('%s', (text, told) => {
    expect(tell({ stage: 'connection', text })).toContain(told);
  });
});

describe('the check of a mailbox does what a poll does', () => {
  const check = async (folders: readonly string[], ...deviations: Deviation[]) => {
    const server = await startHostileImap({ folders: { Junk: '\\Junk' }, deviations });
    server.deliver('Subject: a\r\n\r\nx');
    return checkMailbox({ host: '127.0.0.1', port: server.port, secure: false, requireTLS: false, user: 'zoe', pass: 'pass' }, folders, 5);
  };

  it('and finds nothing wrong where nothing is', async () => {
    expect(await check(['Junk'])).toEqual({ problem: null, warnings: [] });
  });

  it.each([
    ['EXAMINE', 'NO [ALERT] Your account is not enabled for IMAP use'],
    ['FETCH', 'NO [LIMIT] Account exceeded bandwidth limits'],
  ])('%s of INBOX: %s', async (verb, words) => {
    const { problem } = await check([], refuse(verb, words));
    expect(problem).toContain(`accepted the login of zoe, but INBOX can't be read (${words})`);
  });

  // "What the server says as it closes the connection is told, like a refusal."
  it.each([
    ['GREETING', 'refused the connection (BYE Too many connections); try again later'],
    ['AUTHENTICATE', 'refused the connection (BYE Too many connections); try again later'],
    ['EXAMINE', "INBOX can't be read (BYE Too many connections)"],
    ['FETCH', "INBOX can't be read (BYE Too many connections)"],
  ])('%s is answered with BYE', async (verb, told) => {
    const bye: Deviation = ({ verb: asked }, honest) =>
      asked === verb ? { text: '* BYE [UNAVAILABLE] Too many connections\r\n', thenCut: true } : honest;
    expect((await check([], bye)).problem).toContain(told);
  });

  it('other folders cost a warning each, with the words of the server', async () => {
    expect(await check(['Archive'], refuse('EXAMINE', 'NO [CANNOT] damaged', /Junk/))).toEqual({
      problem: null,
      warnings: [expect.stringContaining('no folder "Archive"'), 'EXAMINE Junk: NO [CANNOT] damaged'],
    });
  });
});

it('google and microsoft need no URLs: their servers are known, and encrypted', () => {
  for (const provider of ['google', 'microsoft'] as const)
    for (const server of Object.values(presetServers(provider, 'zoe@example.com') ?? {}))
      expect(server).toMatchObject({ host: expect.stringMatching(/\.(gmail|office365)\.com$/), tls: 'required', user: 'zoe@example.com' });
  expect(presetServers('smtp', 'zoe@example.com')).toBeNull();
});

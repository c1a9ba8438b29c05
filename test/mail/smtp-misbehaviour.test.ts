import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type Outcome, type SmtpLogin, SmtpSession } from '../../src/mail/smtp-session.ts';
import { type HostileSmtp, type SmtpReply, type SmtpVerb, startHostileSmtp } from '../support/hostile/smtp.ts';
import { waitUntil } from '../support/wait-until.ts';

const ENVELOPE = { from: 'zoe@example.com', to: 'ada@example.org' };
const MESSAGE = Buffer.from('From: zoe@example.com\r\nSubject: Hello\r\n\r\n.dot\r\nBye\r\n');
const LARGE = Buffer.concat([MESSAGE, Buffer.alloc(30_000_000, 'line of text\r\n')]);
/** The timeouts of RFC 5321 §4.5.3.2, shortened. On a busy machine, even a server that answers may need more than half a second. */
const silenceOf = (milliseconds: number) => ({
  connectionTimeout: milliseconds,
  greetingTimeout: milliseconds,
  socketTimeout: milliseconds,
  dnsTimeout: milliseconds,
});

let server: HostileSmtp | undefined;

afterEach(() => server?.close());

/** Returns the outcome of one email to a server that behaves like this. */
async function outcomeOf(
  script: Partial<Record<SmtpVerb, SmtpReply>>,
  message = MESSAGE,
  change: Partial<SmtpLogin> = {},
  longestSilence = 10_000,
): Promise<Outcome> {
  server = await startHostileSmtp(script);
  const login = {
    host: '127.0.0.1',
    port: server.port,
    secure: false,
    requireTLS: false,
    user: 'zoe',
    pass: 'x',
    name: 'localhost',
    ...change,
  };
  const session = await SmtpSession.open(login, silenceOf(longestSilence));
  if (!(session instanceof SmtpSession)) return session;
  const outcome = await session.send(ENVELOPE, message);
  session.close();
  return outcome;
}

const cut = (socket: Socket) => void socket.destroy();
const reset = (socket: Socket) => void socket.resetAndDestroy();
const ended = (socket: Socket) => void socket.end();

describe('a server that stalls', () => {
  it.each<[SmtpVerb, string, number]>([
    ['greeting', 'unsent', 500],
    ['EHLO', 'unsent', 500],
    ['AUTH', 'unsent', 500],
    ['MAIL', 'unsent', 500],
    ['RCPT', 'unsent', 500],
    ['DATA', 'unsent', 500],
    ['dot', 'uncertain', 3_000],
  ])('at %s: the mail is %s', async (command, kind, silence) => {
    expect(await outcomeOf({ [command]: null }, MESSAGE, {}, silence)).toMatchObject({ kind });
    expect(server?.messages).toHaveLength(command === 'dot' ? 1 : 0);
  });

  it('in the middle of a line or of a multi-line reply times out as well', async () => {
    expect(await outcomeOf({ greeting: Buffer.from('220 mx.exam') }, MESSAGE, {}, 500)).toMatchObject({ kind: 'unsent' });
    const half = Buffer.from('250-mx.example.net\r\n250-SIZE\r\n');
    expect(await outcomeOf({ EHLO: half }, MESSAGE, {}, 500)).toMatchObject({ kind: 'unsent' });
  });
});

describe('a connection that ends', () => {
  it.each<[SmtpVerb, string]>([
    ['greeting', 'unsent'],
    ['EHLO', 'unsent'],
    ['AUTH', 'unsent'],
    ['MAIL', 'unsent'],
    ['RCPT', 'unsent'],
    ['DATA', 'unsent'],
    ['dot', 'uncertain'],
  ])('at %s, cut, reset or closed: the mail is %s', async (command, kind) => {
    for (const end of [cut, reset, ended]) {
      expect(await outcomeOf({ [command]: end })).toMatchObject({ kind });
      await server?.close();
    }
  });

  it('in the middle of the message: unsent, because the final dot was not sent', async () => {
    const halfway = (socket: Socket) => {
      socket.write('354 go on\r\n');
      // Destroy the socket before the server takes the lines of the message for commands.
      socket.prependOnceListener('data', () => socket.destroy());
    };
    expect(await outcomeOf({ DATA: halfway }, LARGE)).toMatchObject({ kind: 'unsent' });
  });

  it('that cannot be opened: unsent', async () => {
    const closed = await startHostileSmtp();
    await closed.close();
    expect(await outcomeOf({}, MESSAGE, { port: closed.port })).toMatchObject({
      kind: 'unsent',
      phase: 'connect',
      text: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('because TLS fails: unsent, and the credentials are never sent', async () => {
    expect(await outcomeOf({}, MESSAGE, { requireTLS: true })).toMatchObject({ kind: 'refused', phase: 'connect', code: 502 });
    expect(server?.lines.join()).not.toContain('AUTH');
    await server?.close();
    const broken = { EHLO: '250-mx.example.net\r\n250 STARTTLS', STARTTLS: '220 go on' } as Partial<Record<SmtpVerb, SmtpReply>>;
    expect(await outcomeOf(broken, MESSAGE, { requireTLS: true }, 500)).toMatchObject({ kind: 'unsent', phase: 'connect' });
    expect(server?.lines.join()).not.toContain('AUTH');
    await server?.close();
    expect(await outcomeOf({}, MESSAGE, { secure: true }, 500)).toMatchObject({ kind: 'unsent', phase: 'connect' });
  });
});

describe('a server that refuses', () => {
  it.each<[SmtpVerb, string, object]>([
    ['greeting', '554 5.7.1 no service for you', { kind: 'refused', phase: 'connect', code: 554 }],
    ['greeting', '421 4.3.2 shutting down', { kind: 'refused', phase: 'connect', code: 421 }],
    ['AUTH', '535 5.7.8 Username and Password not accepted', { kind: 'refused', phase: 'auth', code: 535 }],
    ['AUTH', '454 4.7.0 Temporary authentication failure', { kind: 'refused', phase: 'auth', code: 454 }],
    ['MAIL', '530 5.7.0 Authentication required', { kind: 'refused', phase: 'mail', code: 530 }],
    ['MAIL', '452 4.3.1 Insufficient system storage', { kind: 'refused', phase: 'mail', code: 452 }],
    [
      'RCPT',
      '550-5.1.1 The email account that you tried\r\n550 5.1.1 to reach does not exist',
      { kind: 'refused', phase: 'rcpt', code: 550 },
    ],
    ['DATA', '451 4.3.0 not now', { kind: 'refused', phase: 'data', code: 451 }],
    ['dot', '552 5.3.4 too big', { kind: 'refused', phase: 'data', code: 552 }],
    ['dot', '421 4.4.2 connection dropped', { kind: 'refused', phase: 'data', code: 421 }],
  ])('at %s with %s', async (command, reply, outcome) => {
    expect(await outcomeOf({ [command]: reply })).toMatchObject(outcome);
  });

  it('with 421 and a closed connection: its reply is kept', async () => {
    const goodbye = (socket: Socket) => void socket.end('421 4.7.0 too many messages on this connection\r\n');
    expect(await outcomeOf({ MAIL: goodbye })).toMatchObject({
      kind: 'refused',
      phase: 'mail',
      code: 421,
      text: expect.stringContaining('too many'),
    });
    await server?.close();
    // The same after the final dot: the server says that it does not have the email (RFC 5321 §3.8).
    expect(await outcomeOf({ dot: goodbye })).toMatchObject({ kind: 'refused', phase: 'data', code: 421 });
  });
});

describe('an email that is not permitted yet', () => {
  async function opened(script: Partial<Record<SmtpVerb, SmtpReply>> = {}): Promise<[HostileSmtp, SmtpSession]> {
    server = await startHostileSmtp(script);
    const login = { host: '127.0.0.1', port: server.port, secure: false, requireTLS: false, user: null, name: 'localhost' };
    const session = await SmtpSession.open(login, silenceOf(10_000));
    if (!(session instanceof SmtpSession)) throw new Error(JSON.stringify(session));
    return [server, session];
  }
  const heard = (raw: HostileSmtp, line: string) => waitUntil(`the server hears ${line}`, () => raw.lines.includes(line));

  it('has its envelope sent, and no line of its message before the permit', async () => {
    const [raw, session] = await opened();
    const permit = Promise.withResolvers<boolean>();
    const sending = session.send(ENVELOPE, MESSAGE, () => permit.promise);
    await heard(raw, 'DATA');
    expect(raw.lines.at(-1)).toBe('DATA');
    permit.resolve(true);
    expect(await sending).toMatchObject({ kind: 'accepted' });
    expect(raw.messages).toHaveLength(1);
    session.close();
  });

  it.each<[string, () => Promise<boolean>]>([
    ['refused', async () => false],
    ['never answered', async () => Promise.reject(new Error('no database'))],
  ])('and is %s: unsent, over a connection that is not used again', async (_, isPermitted) => {
    const [raw, session] = await opened();
    expect(await session.send(ENVELOPE, MESSAGE, isPermitted)).toMatchObject({ kind: 'unsent' });
    expect(session.isOpen).toBe(false);
    expect(raw.messages).toEqual([]);
    expect(raw.lines).not.toContain('.');
  });

  it('and is refused by the server leaves the session usable', async () => {
    const [raw, session] = await opened({ RCPT: '550 5.1.1 no such user' });
    const unanswered = () => new Promise<boolean>(() => undefined);
    expect(await session.send(ENVELOPE, MESSAGE, unanswered)).toMatchObject({ kind: 'refused', phase: 'rcpt', code: 550 });
    expect(session.isOpen).toBe(true);
    expect(raw.lines.at(-1)).toBe('RSET');
    session.close();
  });

  it('is not sent because a server accepts it ahead', async () => {
    const eager = (socket: Socket) => void socket.write('354 go on\r\n250 2.0.0 queued already\r\n');
    const [raw, session] = await opened({ DATA: eager });
    expect(await session.send(ENVELOPE, MESSAGE, () => new Promise(() => undefined))).toMatchObject({ kind: 'unsent' });
    expect(raw.lines.at(-1)).toBe('DATA');
  });
});

describe('a server that is odd', () => {
  it('offers no extension, or knows only HELO: the email goes out as ASCII and is accepted', async () => {
    expect(await outcomeOf({ EHLO: '250 mx.example.net' }, MESSAGE, { user: null })).toMatchObject({ kind: 'accepted' });
    expect(server?.lines).toContain('MAIL FROM:<zoe@example.com>');
    await server?.close();
    expect(await outcomeOf({ EHLO: '502 5.5.1 what?' }, MESSAGE, { user: null })).toMatchObject({ kind: 'accepted' });
  });

  it('greets at length', async () => {
    const greeting = `${'220-welcome to a place of many words\r\n'.repeat(200)}220 mx.example.net`;
    expect(await outcomeOf({ greeting })).toMatchObject({ kind: 'accepted' });
  });

  it('speaks LMTP, HTTP or nonsense: unsent or refused, never sent', async () => {
    const lmtp = { greeting: '220 mx.example.net LMTP', EHLO: '500 5.5.1 LHLO only', HELO: '500 5.5.1 LHLO only' };
    for (const script of [
      lmtp,
      { greeting: 'HTTP/1.1 400 Bad Request' },
      { greeting: Buffer.from([0, 255, 13, 10]) },
      { greeting: '* OK IMAP4rev1 ready' },
    ]) {
      const { kind } = await outcomeOf(script);
      expect(['refused', 'unsent']).toContain(kind);
      expect(server?.messages).toEqual([]);
      await server?.close();
    }
  });

  it('replies with invalid codes: not accepted', async () => {
    for (const reply of ['999 what', '250x', 'OK', '', '\0\0\0'])
      for (const command of ['RCPT', 'dot'] as const) {
        const outcome = await outcomeOf({ [command]: reply }, MESSAGE, {}, 500);
        if (!reply.startsWith('250')) expect(outcome.kind, `${command} ${JSON.stringify(reply)}`).not.toBe('accepted');
        await server?.close();
      }
  });

  it('replies 250 before it has the message: not accepted', async () => {
    const eager = (socket: Socket) => void socket.write('354 go on\r\n250 2.0.0 queued already\r\n');
    expect((await outcomeOf({ DATA: eager }, LARGE)).kind).not.toBe('accepted');
  });

  it('sends an endless line: the session fails and its memory is freed', async () => {
    const flood = (socket: Socket) => {
      const more = () => {
        while (socket.writable && socket.write('x'.repeat(65_536)));
      };
      socket.on('drain', more);
      more();
    };
    expect(await outcomeOf({ EHLO: flood })).toMatchObject({ kind: 'unsent' });
  });
});

describe('an address that SMTP cannot transport', () => {
  it.each(['jörg@example.org', '用户@example.org'])('%s needs SMTPUTF8; without it nothing is sent to the server', async (to) => {
    server = await startHostileSmtp();
    const login = { host: '127.0.0.1', port: server.port, secure: false, requireTLS: false, user: null, name: 'localhost' };
    const session = (await SmtpSession.open(login, silenceOf(10_000))) as SmtpSession;
    expect(await session.send({ ...ENVELOPE, to }, MESSAGE)).toMatchObject({
      kind: 'unwritable',
      text: expect.stringContaining('SMTPUTF8'),
    });
    expect(await session.send({ ...ENVELOPE, to: 'a@example.org\r\nRCPT TO:<b@example.org>' }, MESSAGE)).toMatchObject({
      kind: 'unwritable',
    });
    expect(await session.send(ENVELOPE, MESSAGE)).toMatchObject({ kind: 'accepted' });
    expect(server.lines.filter((line) => line.startsWith('RCPT'))).toEqual(['RCPT TO:<ada@example.org>']);
    session.close();
  });

  it('goes to a server that offers SMTPUTF8', async () => {
    server = await startHostileSmtp({ EHLO: '250-mx.example.net\r\n250-8BITMIME\r\n250 SMTPUTF8' });
    const login = { host: '127.0.0.1', port: server.port, secure: false, requireTLS: false, user: null, name: 'localhost' };
    const session = (await SmtpSession.open(login, silenceOf(10_000))) as SmtpSession;
    expect(await session.send({ ...ENVELOPE, to: 'jörg@example.org' }, MESSAGE)).toMatchObject({ kind: 'accepted' });
    expect(server.lines.some((line) => line.startsWith('MAIL') && line.includes('SMTPUTF8'))).toBe(true);
    session.close();
  });
});

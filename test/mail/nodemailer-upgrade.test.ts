import { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { multipartHeader, quotedPrintable } from '../../src/mail/mime.ts';
import { SmtpConnection, type SmtpError } from '../../src/mail/nodemailer.ts';
import { type HostileSmtp, type SmtpReply, startHostileSmtp } from '../support/hostile/smtp.ts';

const ENVELOPE = { from: 'zoe@example.com', to: ['ada@example.org'] };
const MESSAGE = 'Subject: Hello\r\n\r\nHello\r\n';

let server: HostileSmtp;
afterEach(() => server?.close());

async function connected(script: Parameters<typeof startHostileSmtp>[0] = {}): Promise<SmtpConnection> {
  server = await startHostileSmtp(script);
  const connection = new SmtpConnection({ host: '127.0.0.1', port: server.port, ignoreTLS: true, socketTimeout: 10_000 });
  await connection.connect();
  return connection;
}

const errorOf = (work: Promise<unknown>): Promise<SmtpError> =>
  work.then(
    () => Promise.reject(new Error('nothing failed')),
    (error: SmtpError) => error,
  );

describe('an upgrade of nodemailer breaks sending unless', () => {
  it('lastServerResponse is the whole EHLO reply when connect() calls back', async () => {
    const connection = await connected({ EHLO: '250-mx.example.net\r\n250-SMTPUTF8\r\n250 SIZE 1000' });
    expect(['SMTPUTF8', 'SIZE', 'DSN'].map((extension) => connection.offers(extension))).toEqual([true, true, false]);
    expect(connection.maxSize).toBe(1_000);
    connection.close();
  });

  it('and that of HELO where the server knows no EHLO', async () => {
    const connection = await connected({ EHLO: '502 5.5.1 unknown command' });
    expect(connection.offers('SMTPUTF8')).toBe(false);
    connection.close();
  });

  const refused: [string, Partial<Record<'MAIL' | 'RCPT' | 'DATA' | 'dot', SmtpReply>>, string][] = [
    ['MAIL FROM', { MAIL: '550 5.7.1 no' }, 'MAIL FROM'],
    ['RCPT TO', { RCPT: '550 5.7.1 no' }, 'RCPT TO'],
    ['DATA', { DATA: '550 5.7.1 no' }, 'DATA'],
    ['the final dot', { dot: '550 5.7.1 no' }, 'DATA'],
  ];
  it.each(refused)('an error says that it answers %s, with code and reply', async (_at, script, command) => {
    const connection = await connected(script);
    const error = await errorOf(connection.send(ENVELOPE, Readable.from([MESSAGE]), MESSAGE.length));
    expect(error).toMatchObject({ command, responseCode: 550, response: '550 5.7.1 no' });
    connection.close();
  });

  it('an error of login() says AUTH', async () => {
    const connection = await connected({ AUTH: '535 5.7.8 wrong' });
    const error = await errorOf(connection.login({ user: 'zoe', pass: 'wrong' }));
    expect(error).toMatchObject({ command: expect.stringMatching(/^AUTH/), responseCode: 535 });
    connection.close();
  });

  it('no byte of the message is read before the server says 354', async () => {
    const connection = await connected({ DATA: '451 4.3.0 later' });
    const message = Readable.from([MESSAGE]);
    await errorOf(connection.send(ENVELOPE, message, MESSAGE.length));
    expect(message.readableDidRead).toBe(false);
    connection.close();
  });

  it('the message is read to its end before the final dot is sent', async () => {
    const connection = await connected({ dot: (socket) => void socket.destroy() });
    const message = Readable.from([MESSAGE]);
    await errorOf(connection.send(ENVELOPE, message, MESSAGE.length));
    expect(server.messages).toHaveLength(1);
    expect(message.readableEnded).toBe(true);
  });

  it.each([32, 33, 64, 1_000])('a message of %i KiB of dots arrives whole', async (kibibytes) => {
    const connection = await connected();
    const message = `${'.\r\n\r\n..'.repeat(kibibytes * 146).padEnd(kibibytes * 1024 - 2, '.')}\r\n`;
    await connection.send(ENVELOPE, Readable.from([message]), message.length);
    expect(server.messages.map((lines) => `${lines.replaceAll(/^\./gm, '')}\r\n` === message)).toEqual([true]);
    connection.close();
  });

  it('a message that is not at its end gets no final dot', async () => {
    const connection = await connected();
    const message = new Readable({ read: () => undefined });
    message.push(MESSAGE);
    const failure = errorOf(connection.send(ENVELOPE, message, MESSAGE.length));
    message.destroy(new Error('not permitted'));
    expect((await failure).message).toContain('not permitted');
    expect(message.readableEnded).toBe(false);
    expect(server.messages).toEqual([]);
    connection.close();
  });
});

describe('an upgrade of nodemailer breaks composing unless', () => {
  it('MimeNode puts the boundary into Content-Type and tells it, once the header is built', () => {
    const { header, boundary } = multipartHeader('alternative', [{ key: 'Subject', value: 'Grüße' }], 'seed');
    // It does not contain the name of the program. `=_` can't occur in quoted-printable text.
    expect(boundary).toMatch(/^----=_Part_\d+/);
    expect(header).toContain(`Content-Type: multipart/alternative; boundary="${boundary}"`);
    expect(header).toMatch(/^Subject: =\?UTF-8\?/m);
    expect(header).toMatch(/^MIME-Version: 1\.0$/m);
    expect(header.endsWith('\r\n')).toBe(false);
  });

  it('quoted-printable text has lines of 76 characters at most and can not hold a boundary', () => {
    const lines = quotedPrintable(`=_seed ${'ü'.repeat(200)}\nnext `).split('\r\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(76);
    expect(lines[0]).toMatch(/^=3D_seed/);
    expect(lines.at(-1)).toBe('next=20');
  });
});

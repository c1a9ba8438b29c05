import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { SmtpSession } from '../../src/mail/smtp-session.ts';
import { type HostileSmtp, type SmtpVerb, startHostileSmtp } from '../support/hostile/smtp.ts';

let server: HostileSmtp | undefined;
afterEach(() => server?.close());

/** Says a line of an answer now and then, and never the last one. */
function trickle(code: number) {
  return (socket: Socket) => {
    const line = setInterval(() => socket.write(`${code}-wait\r\n`), 20);
    socket.once('close', () => clearInterval(line));
  };
}

/** Each limit of silence is far longer than the limits of the whole. */
async function outcome(command: SmtpVerb, code: number) {
  server = await startHostileSmtp({ [command]: trickle(code) });
  const login = { host: '127.0.0.1', port: server.port, secure: false, requireTLS: false, user: 'me', pass: 'x', name: 'here.example' };
  const session = await SmtpSession.open(login, { limits: { login: 300, email: 300 } });
  if (!(session instanceof SmtpSession)) return session;
  const sent = await session.send({ from: 'me@here.example', to: 'you@there.example' }, Buffer.from('Subject: Hi\r\n\r\nHi\r\n'));
  expect(session.isOpen).toBe(false);
  return sent;
}

/** docs/operating.md: "All work on an outside server has a time limit". */
describe('an SMTP server that says a line now and then, for ever', () => {
  it.each<[SmtpVerb, number, string]>([
    ['greeting', 220, 'unsent'],
    ['EHLO', 250, 'unsent'],
    ['AUTH', 235, 'unsent'],
    ['MAIL', 250, 'unsent'],
    ['RCPT', 250, 'unsent'],
    ['DATA', 354, 'unsent'],
    // It may have the email.
    ['dot', 250, 'uncertain'],
  ])('at %s, always %i, is cut off: the email is %s', { timeout: 10_000 }, async (command, code, kind) => {
    expect(await outcome(command, code)).toMatchObject({ kind, text: 'the server took longer than 0.3 s' });
  });
});

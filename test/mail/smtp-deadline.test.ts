import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { SmtpSession } from '../../src/mail/smtp-session.ts';
import { type HostileSmtp, type SmtpVerb, startHostileSmtp } from '../support/hostile/smtp.ts';

let server: HostileSmtp | undefined;
afterEach(() => server?.close());

/** Sends a line of a reply now and then, but never the last one. */
function trickle(code: number) {
  return (socket: Socket) => {
    const line = setInterval(() => socket.write(`${code}-wait\r\n`), 20);
    socket.once('close', () => clearInterval(line));
  };
}

/** Sends an email. Every idle timeout is far longer than the limits on the total time. */
async function outcome(command: SmtpVerb, code: number, limit: number) {
  server = await startHostileSmtp({ [command]: trickle(code) });
  const login = { host: '127.0.0.1', port: server.port, secure: false, requireTLS: false, user: 'me', pass: 'x', name: 'here.example' };
  const session = await SmtpSession.open(login, { limits: { login: limit, email: limit } });
  if (!(session instanceof SmtpSession)) return session;
  const sent = await session.send({ from: 'me@here.example', to: 'you@there.example' }, Buffer.from('Subject: Hi\r\n\r\nHi\r\n'));
  expect(session.isOpen).toBe(false);
  return sent;
}

/** docs/operating.md: "All work on an outside server has a time limit". */
describe('an SMTP server that says a line now and then, forever', () => {
  it.each<[SmtpVerb, number, string, number]>([
    ['greeting', 220, 'unsent', 0.3],
    ['EHLO', 250, 'unsent', 0.3],
    ['AUTH', 235, 'unsent', 0.3],
    ['MAIL', 250, 'unsent', 0.3],
    ['RCPT', 250, 'unsent', 0.3],
    ['DATA', 354, 'unsent', 0.3],
    // The server may have the email. Even on a busy machine, the session gets there within the limit.
    ['dot', 250, 'uncertain', 3],
  ])('at %s, always %i, is cut off: the email is %s', async (command, code, kind, seconds) => {
    expect(await outcome(command, code, seconds * 1_000)).toMatchObject({ kind, text: `the server took longer than ${seconds} s` });
  });
});

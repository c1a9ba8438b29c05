import { describe, expect, it } from 'vitest';
import { smtpProblem } from '../../src/mail/check-login.ts';
import { SmtpSession } from '../../src/mail/smtp-session.ts';
import { type SmtpReply, type SmtpVerb, startHostileSmtp } from '../support/hostile/smtp.ts';

const login = { host: '127.0.0.1', secure: false, requireTLS: false, user: 'zoe', pass: 's3cret', name: 'outreach.example' };

async function logIn(mechanisms: string, script: Partial<Record<SmtpVerb, SmtpReply>> = {}) {
  const server = await startHostileSmtp({ EHLO: `250-mx.example.net\r\n250 ${mechanisms}`, ...script });
  const opened = await SmtpSession.open({ ...login, port: server.port }, { socketTimeout: 5_000 });
  if (opened instanceof SmtpSession) opened.close();
  const problem = await smtpProblem({ ...login, port: server.port }, 5);
  const tried = server.lines.filter((line) => line.startsWith('AUTH'));
  await server.close();
  return {
    isOpen: opened instanceof SmtpSession,
    tried: [...new Set(tried.map((line) => line.split(' ')[1]))],
    lines: server.lines,
    problem,
  };
}

describe('a login tries the mechanisms that the server offers, the strongest first', () => {
  it('PLAIN before LOGIN', async () => {
    expect(await logIn('AUTH LOGIN PLAIN')).toMatchObject({ isOpen: true, tried: ['PLAIN'] });
  });

  it('LOGIN where PLAIN is announced and refused (Naver: 504)', async () => {
    let step = 0;
    const answers = ['504 5.5.4 unrecognised', '334 VXNlcm5hbWU6', '504 5.5.4 unrecognised', '334 VXNlcm5hbWU6'];
    const found = await logIn('AUTH LOGIN PLAIN', { AUTH: (socket) => void socket.write(`${answers[step++]}\r\n`) });
    expect(found.tried).toEqual(['PLAIN', 'LOGIN']);
  });

  it('a wrong password is told once, not once for each mechanism: providers lock accounts', async () => {
    const found = await logIn('AUTH LOGIN PLAIN', { AUTH: '535 5.7.8 authentication failed' });
    expect(found).toMatchObject({ isOpen: false, tried: ['PLAIN'] });
    expect(found.problem).toContain('check user and password');
  });

  it.each([['AUTH GSSAPI NTLM'], ['SIZE 1000']])('no password goes to a server that offers none of ours: %s', async (mechanisms) => {
    const found = await logIn(mechanisms);
    expect(found).toMatchObject({ isOpen: false, tried: [] });
    expect(found.lines.join('\n')).not.toMatch(/s3cret|czNjcmV0/);
    expect(found.problem).toMatch(/offers no login mechanism that Outreach supports/);
  });
});

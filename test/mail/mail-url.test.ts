import { describe, expect, it } from 'vitest';
import { mailUrlOf, parseMailUrl } from '../../src/mail/mail-url.ts';

const refusal = (url: string, protocol: 'smtp' | 'imap' = 'smtp') => {
  try {
    parseMailUrl(url, protocol);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error(`${url} was taken`);
};

describe('--smtp-url and --imap-url', () => {
  it.each([
    ['smtp', 'smtp://zoe%40example.com@smtp.example.com:2525'],
    ['smtp', 'smtps://zoe@smtp.example.com:465'],
    ['smtp', 'smtp://u@relay.example.com:25?tls=off'],
    ['smtp', 'smtp://127.0.0.1:25'],
    ['imap', 'imap://u%2Fv@[::1]:143?tls=required'],
    ['imap', 'imaps://u@imap.example.com:993'],
  ] as const)('a stored server is written as the URL that it came from: %s %s', (protocol, url) => {
    expect(mailUrlOf(parseMailUrl(url, protocol).server, protocol)).toBe(url);
  });

  it('USER and PASS are percent-decoded', () => {
    expect(parseMailUrl('smtp://zoe%40example.com:a%2Fb%3A%25@smtp.example.com:2525', 'smtp')).toEqual({
      server: { host: 'smtp.example.com', port: 2525, secure: false, tls: 'required', user: 'zoe@example.com' },
      password: 'a/b:%',
    });
    expect(parseMailUrl('imaps://zoe@imap.example.com', 'imap').password).toBeUndefined();
  });

  it.each([
    ['smtp://u@h.example', 587, false],
    ['smtps://u@h.example', 465, true],
    ['imap://u@h.example', 143, false],
    ['imaps://u@h.example', 993, true],
  ])('%s has the default port %i', (url, port, secure) => {
    expect(parseMailUrl(url, url.startsWith('smtp') ? 'smtp' : 'imap').server).toMatchObject({ port, secure, tls: 'required' });
  });

  it.each([
    ['smtp://u@smtp.example.com', 'required'],
    ['smtp://u@10.0.0.1', 'required'],
    ['smtp://u@localhost.example.com', 'required'],
    ['smtp://u@127.0.0.1.example.com', 'required'],
    ['smtp://u@smtp.example.com?tls=off', 'off'],
    ['smtp://u@127.0.0.1:1025', 'off'],
    ['smtp://u@LOCALHOST', 'off'],
    ['smtp://u@[::1]:25', 'off'],
    ['smtp://u@127.0.0.1?tls=required', 'required'],
    ['smtps://u@127.0.0.1', 'required'],
  ])('TLS of %s is %s: demanded unless the host is this machine or ?tls=off is given', (url, tls) => {
    expect(parseMailUrl(url, 'smtp').server.tls).toBe(tls);
  });

  it('a host is written as DNS has it', () => {
    expect(parseMailUrl('smtp://u@M%C3%BCnchen.example', 'smtp').server.host).toBe('xn--mnchen-3ya.example');
    expect(parseMailUrl('imap://u@[2001:DB8::1]', 'imap').server.host).toMatch(/^2001:db8::1$/i);
  });

  it('only a server on this machine may go without a user, and only for SMTP', () => {
    expect(parseMailUrl('smtp://127.0.0.1:25', 'smtp').server.user).toBeNull();
    expect(refusal('smtp://smtp.example.com')).toMatch(/^--smtp-url: has no user/);
    expect(refusal('imap://127.0.0.1', 'imap')).toMatch(/^--imap-url: has no user/);
  });

  it.each([
    'zoe@example.com',
    'smtp.example.com:587',
    'http://u@h.example',
    'imap://u@h.example',
    'smtp://u:p/w@h.example',
    'smtp://u@h.example/inbox',
    'smtp://u@h.example:0',
    'smtp://u@h.example:65536',
    'smtp://u@',
    'smtp://u@h%20h.example',
    'smtp://u%0d%0aMAIL@h.example',
    'smtp://u:%00@h.example',
    'smtp://u%4@h.example',
    'smtp://u@h.example?tls=maybe',
    'smtp://u@h.example?ssl=off',
    'smtps://u@h.example?tls=off',
  ])('refuses %s with an error that names the flag', (url) => {
    expect(refusal(url)).toMatch(/^--smtp-url: /);
  });

  it('an error never repeats a password', () => {
    for (const url of ['smtp://u:hunter2/@h.example', 'http://u:hunter2@h.example', 'smtp://u:hunter2@h.example:0', 'smtp://u:hunter2%@h'])
      expect(refusal(url)).not.toContain('hunter2');
  });
});

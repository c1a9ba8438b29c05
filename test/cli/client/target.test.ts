import { describe, expect, it } from 'vitest';
import { serverUrl, targetOf } from '../../../src/cli/client/target.ts';

const LOGIN = { url: 'https://stored.example', key: 'ork_stored' };
const stored = () => LOGIN;
const none = () => undefined;

describe('where a command works', () => {
  it('on this machine, when nothing names a server', () => {
    expect(targetOf({}, {}, none)).toBeUndefined();
    expect(targetOf({}, { OUTREACH_API_KEY: 'ork_env' }, none)).toBeUndefined();
  });

  it('on the server of the flags, before that of the environment, before that of the login', () => {
    const env = { OUTREACH_URL: 'https://env.example/', OUTREACH_API_KEY: 'ork_env' };
    expect(targetOf({ url: 'https://flag.example', key: 'ork_flag' }, env, stored)).toEqual({
      url: 'https://flag.example',
      key: 'ork_flag',
    });
    expect(targetOf({}, env, stored)).toEqual({ url: 'https://env.example', key: 'ork_env' });
    expect(targetOf({}, {}, stored)).toEqual(LOGIN);
    expect(targetOf({ key: 'ork_flag' }, {}, stored)).toEqual({ url: LOGIN.url, key: 'ork_flag' });
  });

  it('on this machine, when a flag names its installation or a workspace of it, whatever login there is', () => {
    for (const flags of [{ 'data-dir': '/srv/outreach' }, { workspace: 'Sales' }])
      expect(targetOf(flags, { OUTREACH_URL: 'https://env.example', OUTREACH_API_KEY: 'k' }, stored)).toBeUndefined();
  });

  it('on this machine with OUTREACH_DATA_DIR and a stored login, and on the server with OUTREACH_URL too', () => {
    expect(targetOf({}, { OUTREACH_DATA_DIR: '/srv' }, stored)).toBeUndefined();
    expect(targetOf({}, { OUTREACH_DATA_DIR: '/srv', OUTREACH_URL: LOGIN.url }, stored)).toEqual(LOGIN);
  });

  it('refuses flags of both', () => {
    expect(() => targetOf({ url: LOGIN.url, 'data-dir': '/srv' }, {}, none)).toThrow("--data-dir and --url can't be combined");
    expect(() => targetOf({ key: 'k', workspace: 'Sales' }, {}, none)).toThrow("--workspace and --key can't be combined");
  });

  it('never sends a stored key to another server', () => {
    expect(() => targetOf({ url: 'https://other.example' }, {}, stored)).toThrow(
      'no API key for https://other.example; set OUTREACH_API_KEY, or run: outreach login https://other.example',
    );
  });

  it('says what a key alone lacks', () => {
    expect(() => targetOf({ key: 'k' }, {}, none)).toThrow('--key: needs a server; add --url, or set OUTREACH_URL');
  });
});

describe('the URL of a server', () => {
  it('has no slash at its end and keeps its path', () => {
    expect(serverUrl('https://example.com/outreach/', '--url')).toBe('https://example.com/outreach');
    expect(serverUrl('http://127.0.0.1:8025', '--url')).toBe('http://127.0.0.1:8025');
  });

  it.each(['example.com', 'ftp://example.com', ''])('is refused as %j', (text) => {
    expect(() => serverUrl(text, '--url')).toThrow('--url: must be an http:// or https:// URL');
  });

  it('holds no password', () => {
    expect(() => serverUrl('https://me:secret@example.com', 'OUTREACH_URL')).toThrow('OUTREACH_URL: must not contain a user or a password');
  });
});

import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { forgetLogin, readLogin, storeLogin } from '../../src/cli/login.ts';

const root = mkdtempSync(join(tmpdir(), 'outreach-login-'));
afterAll(() => rmSync(root, { recursive: true }));
const LOGIN = { url: 'https://outreach.example', key: 'ork_secret' };

describe('the stored login', () => {
  it('is readable by its owner only, replaces the one before and leaves no other file', () => {
    const path = join(root, 'config/outreach/login.json');
    storeLogin(path, { ...LOGIN, key: 'ork_older' });
    storeLogin(path, LOGIN);
    expect(readLogin(path)).toEqual(LOGIN);
    expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
    expect((statSync(dirname(path)).mode & 0o777).toString(8)).toBe('700');
    expect(readdirSync(dirname(path))).toEqual(['login.json']);
  });

  it('is none after logging out, which is safe to repeat', () => {
    const path = join(root, 'gone.json');
    storeLogin(path, LOGIN);
    forgetLogin(path);
    forgetLogin(path);
    expect(readLogin(path)).toBeUndefined();
  });

  it('is not used when other users can read it', () => {
    const path = join(root, 'exposed.json');
    storeLogin(path, LOGIN);
    chmodSync(path, 0o640);
    expect(() => readLogin(path)).toThrow(`${path} holds an API key and can be read by other users; run: chmod 600 ${path}`);
  });

  it.each(['', '{', 'null', '{"url":1,"key":"k"}'])('says that it is damaged: %j', (text) => {
    const path = join(root, 'damaged.json');
    writeFileSync(path, text, { mode: 0o600 });
    expect(() => readLogin(path)).toThrow(`${path} is damaged; run: outreach login URL`);
  });
});

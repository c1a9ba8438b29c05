import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createFile, takeFile } from '../../src/files/create-file.ts';
import { afterFile } from '../support/after-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'outreach-create-'));
afterFile(async () => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'lock');
const read = () => readFileSync(path, 'utf8');
/** Nothing is left beside the file. */
const leavesOne = () => expect(readdirSync(folder)).toEqual(['lock']);
beforeEach(() => rmSync(path, { force: true }));

it('a file is created for its owner alone, and one that is there stays', () => {
  expect([createFile(path, 'first'), createFile(path, 'second')]).toEqual([true, false]);
  expect(read()).toBe('first');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  leavesOne();
});

it('a file system without hard links, as FAT and many network shares are, has it too', () => {
  const link = () => {
    throw Object.assign(new Error('operation not permitted'), { code: 'EPERM' });
  };
  expect([createFile(path, 'first', { link }), createFile(path, 'second', { link })]).toEqual([true, false]);
  expect(read()).toBe('first');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  leavesOne();
});

describe('taking a file', () => {
  const isLeftBehind = (text: string) => text.startsWith('gone');

  it('replaces one that was left behind, and no other', () => {
    writeFileSync(path, 'gone 1');
    expect(takeFile(path, 'mine', isLeftBehind)).toBe(true);
    expect(takeFile(path, 'yours', isLeftBehind)).toBe(false);
    expect(read()).toBe('mine');
    leavesOne();
  });

  // "One of the processes that do so at the same moment succeeds."
  it('leaves what another process has put there since it was read', () => {
    writeFileSync(path, 'gone 1');
    const judge = (text: string) => {
      if (isLeftBehind(text)) writeFileSync(path, 'theirs');
      return isLeftBehind(text);
    };
    expect(takeFile(path, 'mine', judge)).toBe(false);
    expect(read()).toBe('theirs');
    leavesOne();
  });

  it('takes the place of one that is removed while it is read', () => {
    writeFileSync(path, 'gone 1');
    const judge = () => {
      rmSync(path);
      return true;
    };
    expect(takeFile(path, 'mine', judge)).toBe(true);
    expect(read()).toBe('mine');
    leavesOne();
  });
});

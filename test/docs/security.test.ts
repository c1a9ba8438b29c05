import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('docs/security.md names tests that exist for each of its promises', () => {
  const [, table = ''] = /## What holds each promise([\s\S]*?)\n## /.exec(readFileSync('docs/security.md', 'utf8')) ?? [];
  const promises = table.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| promised to'));
  expect(promises.length).toBeGreaterThan(10);
  for (const promise of promises) {
    const tests = [...promise.matchAll(/`(test\/[^`]+)`/g)].map(([, file = '']) => file);
    expect(tests, promise).not.toEqual([]);
    expect(
      tests.filter((file) => !existsSync(file)),
      promise,
    ).toEqual([]);
  }
});

import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';

const CODE_CACHE = new URL('../../bin/code-cache.js', import.meta.url).href;
/** A function of some length, of which V8 compiles nothing before it is called. */
const lines = Array.from({ length: 200 }, (_, line) => `if (given === ${line}) return 'line ${line}';`).join('\n');
const SHARED = `exports.one = (given) => { ${lines} return 1; };\nexports.two = (given) => { ${lines} return 2; };\n`;

let dist: string;

beforeEach(() => {
  dist = join(mkdtempSync(join(tmpdir(), 'outreach-code-')), 'dist');
  onTestFinished(() => rmSync(join(dist, '..'), { recursive: true }));
  for (const folder of ['chunks', 'commands']) mkdirSync(join(dist, folder), { recursive: true });
  writeFileSync(join(dist, 'chunks/shared.cjs'), SHARED);
  writeFileSync(
    join(dist, '../run.mjs'),
    `import { createRequire } from 'node:module';
    import { keepCompiledCode } from '${CODE_CACHE}';
    keepCompiledCode('${dist}/');
    createRequire(import.meta.url)('./dist/commands/' + process.argv[2] + '.cjs');`,
  );
  for (const name of ['one', 'two'])
    writeFileSync(join(dist, `commands/${name}.cjs`), `console.log(require('../chunks/shared.cjs').${name}());`);
});

/** Runs a command of that program, and returns what it wrote. */
const run = (command: string): string =>
  execFileSync(process.execPath, [join(dist, '../run.mjs'), command], { encoding: 'utf8', env: {} }).trim();

const keptFiles = () => globSync('.compile-cache/*/*', { cwd: dist }).map((path) => join(dist, path));
const keptOfShared = () => keptFiles().find((path) => path.endsWith('chunks shared.cjs')) ?? '';

describe('The compiled code that is kept beside the program', () => {
  test('has the functions that a command called, and those of another command once that has run', () => {
    expect(run('one')).toBe('1');
    const ofOne = readFileSync(keptOfShared());
    expect(run('one')).toBe('1');
    expect(readFileSync(keptOfShared())).toEqual(ofOne);
    expect(run('two')).toBe('2');
    const ofBoth = readFileSync(keptOfShared());
    expect(ofBoth.length).toBeGreaterThan(ofOne.length * 1.5);
    expect(run('one')).toBe('1');
    expect(readFileSync(keptOfShared())).toEqual(ofBoth);
  });

  test('is not that of a file that was changed, though it is as long', () => {
    run('one');
    writeFileSync(join(dist, 'chunks/shared.cjs'), SHARED.replace('return 1;', 'return 7;'));
    utimesSync(join(dist, 'chunks/shared.cjs'), 1, 1);
    expect(run('one')).toBe('7');
    expect(run('one')).toBe('7');
  });

  test.each([
    ['cut off', (path: string) => truncateSync(path, 200)],
    ['empty', (path: string) => truncateSync(path, 0)],
    ['something else', (path: string) => writeFileSync(path, '{}\n<html>')],
  ])('is made again where the file is %s', (_, damage) => {
    run('one');
    const whole = readFileSync(keptOfShared()).length;
    for (const path of keptFiles()) damage(path);
    expect(run('one')).toBe('1');
    expect(readFileSync(keptOfShared()).length).toBe(whole);
  });

  test('is not kept where its folder is not to be had: the command runs all the same', () => {
    writeFileSync(join(dist, '.compile-cache'), 'a file');
    expect(run('one')).toBe('1');
    expect(readFileSync(join(dist, '.compile-cache'), 'utf8')).toBe('a file');
  });

  test('leaves no partial file', () => {
    run('one');
    expect(keptFiles().filter((path) => !path.endsWith('.cjs'))).toEqual([]);
  });
});

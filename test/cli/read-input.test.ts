import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { readInput } from '../../src/cli/read-input.ts';
import { afterFile } from '../support/after-file.ts';

/** Checks whether stdin is a terminal, as commands do, and then reads text that a slow program pipes in. */
const SCRIPT = `
  const { readInput } = await import(${JSON.stringify(new URL('../../src/cli/read-input.ts', import.meta.url).href)});
  void process.stdin.isTTY;
  process.stderr.write('reading');
  process.stdout.write(await readInput('-'));`;

it('- reads stdin to its end, also where nothing was written yet: "campaign apply - … no stdin, though --text-file - has it"', async () => {
  // A pipe from a shell, because Node would give the child a socket.
  const child = spawn('sh', ['-c', 'cat | "$@"', 'sh', process.execPath, '--input-type=module', '--eval', SCRIPT]);
  const [out, ended] = [text(child.stdout), once(child, 'exit')];
  await once(child.stderr, 'data');
  child.stdin.on('error', () => undefined).end('name: Spring fair');
  expect(await ended).toEqual([0, null]);
  expect(await out).toBe('name: Spring fair');
});

it.each([
  ['UTF-8', Buffer.from('Grüße'), 'Grüße'],
  ['UTF-8 with a byte order mark', Buffer.from('\ufeffGrüße'), 'Grüße'],
  ['Windows-1252', Buffer.from('Grüße', 'latin1'), null],
  ['UTF-16', Buffer.from('\ufeffGrüße', 'utf16le'), null],
])('a file in %s: no letter of a text is replaced unseen, since the text is emailed', async (_, bytes, expected) => {
  const folder = mkdtempSync(join(tmpdir(), 'outreach-input-'));
  afterFile(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'body.txt');
  writeFileSync(path, bytes);
  const read = readInput(path);
  if (expected === null) await expect(read).rejects.toThrow(`${path} is not in UTF-8; save it as UTF-8 first`);
  else expect(await read).toBe(expected);
});

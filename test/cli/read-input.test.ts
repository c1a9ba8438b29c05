import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';

/** A command that has asked whether stdin is a terminal, as commands do, before it reads the text that a slow program pipes in. */
const SCRIPT = `
  const { readInput } = await import(${JSON.stringify(new URL('../../src/cli/read-input.ts', import.meta.url).href)});
  void process.stdin.isTTY;
  process.stderr.write('reading');
  process.stdout.write(await readInput('-'));`;

it('- reads stdin to its end, also where nothing was written yet: "campaign apply - … no stdin, though --text-file - has it"', async () => {
  // A pipe as a shell makes it; what Node gives a child is a socket.
  const child = spawn('sh', ['-c', 'cat | "$@"', 'sh', process.execPath, '--input-type=module', '--eval', SCRIPT]);
  const [out, ended] = [text(child.stdout), once(child, 'exit')];
  await once(child.stderr, 'data');
  child.stdin.on('error', () => undefined).end('name: Spring fair');
  expect(await ended).toEqual([0, null]);
  expect(await out).toBe('name: Spring fair');
});

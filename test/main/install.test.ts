import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';

const DATA_DIR = new URL('../../src/main/data-dir.ts', import.meta.url).href;
const folder = mkdtempSync(join(tmpdir(), 'outreach-data-'));

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('commands that start at once share a data directory that none of them finds in place', async () => {
  const dataDir = join(folder, 'not', 'there', 'yet');
  const script = `import { prepareDataDir } from '${DATA_DIR}'; for (let i = 0; i < 1000; i++) prepareDataDir('${dataDir}')`;
  const ends = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'ignore', 'pipe'] });
      const said: string[] = [];
      child.stderr.on('data', (chunk) => said.push(String(chunk)));
      const [status] = await once(child, 'close');
      return { status, stderr: said.join('') };
    }),
  );
  expect(ends).toEqual(Array.from({ length: 4 }, () => ({ status: 0, stderr: '' })));
  expect(readdirSync(dataDir)).toEqual([]);
});

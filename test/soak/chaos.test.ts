import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import type { Report } from '../chaos/report.ts';

/** Seconds for all of it. A run may take a quarter of a minute more until what is left is sent, and half a minute until its servers have ended. */
const SECONDS = Number(process.env.CHAOS_SECONDS ?? 600);
const SEED = process.env.CHAOS_SEED ?? String(Date.now() % 1_000_000);
const WORDS = ['--seed', SEED, '--seconds', String(SECONDS), '--daemons', '2', '--accounts', '14', '--emails', '200', '--pause', '3'];

const folder = mkdtempSync(join(tmpdir(), 'outreach-soak-chaos-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('whatever is killed, cut off and stopped: no email is lost or sent twice, and every answer is read', {
  timeout: (SECONDS + 120) * 1_000,
}, async () => {
  const file = join(folder, 'report.json');
  // It exits with 1 if a rule is broken; the report says which.
  const run = promisify(execFile)(process.execPath, ['test/chaos/run.ts', ...WORDS, '--report', file]);
  const { stdout, stderr } = await run.catch((error: { stdout: string; stderr: string }) => error);
  const again = `npm run chaos -- ${WORDS.join(' ')}`;
  console.log(`${stdout}\nagain: ${again}`);
  expect(existsSync(file), `the run did not come to its end: ${stderr}`).toBe(true);
  const { rules } = JSON.parse(readFileSync(file, 'utf8')) as Report;
  expect(
    rules.filter(({ violations }) => violations.length > 0),
    again,
  ).toEqual([]);
});

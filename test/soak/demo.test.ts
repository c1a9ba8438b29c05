import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { MINUTE } from '../../src/core/clock.ts';
import type { DemoReport } from '../../src/demo/run.ts';
import { testInstallation } from '../support/database.ts';
import { hasTmux, openTerminal, type Terminal } from '../support/terminal.ts';
import { waitUntil } from '../support/wait-until.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/run.js', import.meta.url));

/** Runs the demo as a process without a terminal, and ends it with SIGINT once its progress is so. */
function demo(args: string[], isEnough: (progress: string) => boolean = () => false) {
  return new Promise<{ status: number | null; stdout: string; stderr: string }>((resolve) => {
    const child = spawn(process.execPath, [PROGRAM, 'demo', ...args], {
      env: { PATH: process.env.PATH ?? '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    let isEnding = false;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      if (!isEnding && isEnough(stderr)) isEnding = child.kill('SIGINT');
    });
    child.once('close', (status) => resolve({ status, stdout, stderr }));
  });
}

/** The demo gives up after 15 minutes and says so; this must be longer. */
const LIMIT = 16 * MINUTE;

const leftovers = () => readdirSync(tmpdir()).filter((name) => name.startsWith('outreach-demo-'));

describe('outreach demo', () => {
  it("prints plain progress without a terminal, and its final counts add up with the API's stats", { timeout: LIMIT }, async () => {
    const before = leftovers();
    const { status, stdout, stderr } = await demo(['--seconds', '20', '--contacts', '60', '--json']);
    expect(stderr).toMatch(/2026-03-0\d \d\d:\d\d:\d\d UTC {2}sent \d+/);
    expect(status).toBe(0);
    const report = JSON.parse(stdout) as DemoReport;
    console.log(report.lines.map(({ what, did, counted }) => `${what}: ${did}, counted ${counted}`).join('\n'));
    expect(report).toMatchObject({ isComplete: true, addsUp: true });
    // Three mails to most of sixty people, and each kind of answer at least once.
    expect(report.lines[0]?.did).toBeGreaterThan(120);
    for (const { what, did } of report.lines) expect(did, what).toBeGreaterThan(0);
    expect(leftovers()).toEqual(before);
  });

  it('ends early on Ctrl-C with what had happened, and leaves nothing behind', async () => {
    const before = leftovers();
    const { status, stdout } = await demo(['--seconds', '60', '--contacts', '20'], (progress) => progress.split('\n').length > 5);
    expect(status).toBe(0);
    expect(stdout).toContain('The demo was ended early.');
    expect(leftovers()).toEqual(before);
  });

  it('keeps its installation running with --keep, until Ctrl-C', { timeout: LIMIT }, async () => {
    const before = leftovers();
    const { status, stdout, stderr } = await demo(['--seconds', '20', '--contacts', '20', '--keep'], (progress) =>
      /OUTREACH_URL=http:\S+ OUTREACH_API_KEY=\S+ .*campaign list\n/.test(progress),
    );
    expect(status).toBe(0);
    expect(stderr).toContain('The campaign is completed. Look around from another terminal, until Ctrl-C here:');
    expect(stdout).toContain('The campaign is completed. What happened, and what Outreach counted:');
    expect(leftovers()).toEqual(before);
  });
});

describe.runIf(hasTmux)('outreach demo, at a terminal', async () => {
  const installation = await testInstallation();
  let terminal: Terminal | undefined;
  afterEach(() => terminal?.close());

  /** A folder for temporary files, which the user of the embedded server may pass, too. */
  const folderOf = (name: string) => {
    const folder = join(tmpdir(), name);
    mkdirSync(folder, { mode: 0o711 });
    return folder;
  };
  const show = (env: Record<string, string>): Terminal => {
    terminal = openTerminal(installation, ['demo', '--keep', '--contacts', '10'], env);
    return terminal;
  };

  it('deletes everything and stops its database when the terminal is closed', async () => {
    const folder = folderOf('demo-closed');
    await show({ TMPDIR: folder }).shows(/Demo: three steps/, 60);
    expect(readdirSync(folder)).not.toEqual([]);
    terminal?.close();
    await waitUntil('the demo has deleted its files', () => readdirSync(folder).length === 0);
  });

  it('prints lines where the terminal can’t move its cursor', async () => {
    const env = { TERM: 'dumb', TMPDIR: folderOf('demo-dumb') };
    expect(await show(env).shows(/^\S+ \S+ UTC {2}sent \d+/m, 60)).not.toContain('1 Campaigns');
  });
});

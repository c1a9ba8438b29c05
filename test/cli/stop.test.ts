import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import Stop from '../../commands/stop.ts';
import { recordDaemon } from '../../src/cli/pid-file.ts';
import { afterFile } from '../support/after-file.ts';
import { runCommand } from '../support/run-command.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'outreach-stop-'));
afterFile(async () => rmSync(dataDir, { recursive: true, force: true }));

/** Runs `outreach stop` while sending SIGTERM to the recorded daemon, this process, fails with an error. */
async function stopAnswered(code: 'ESRCH' | 'EPERM') {
  recordDaemon(dataDir, { url: null, metrics_url: null, started_at: '2026-07-07T12:00:00Z' });
  const { kill } = process;
  const spy = vi.spyOn(process, 'kill').mockImplementation((pid, signal) => {
    if (signal === 'SIGTERM') throw Object.assign(new Error(`kill ${code}`), { code });
    return kill.call(process, pid, signal);
  });
  try {
    return await runCommand(Stop, [], { OUTREACH_DATA_DIR: dataDir });
  } finally {
    spy.mockRestore();
    rmSync(join(dataDir, 'daemon.json'));
  }
}

// "`stop` fails with ESRCH if the daemon ends in the same moment."
it('a daemon that ends by itself at that moment is no error', async () => {
  expect(await stopAnswered('ESRCH')).toEqual({ status: 0, stdout: `No daemon is running on ${dataDir}.\n`, stderr: '' });
});

it("another user's daemon is left alone, and the error says who can stop it", async () => {
  const message = `outreach: process ${process.pid} belongs to another user; run outreach stop as that user, or as root\n`;
  expect(await stopAnswered('EPERM')).toEqual({ status: 1, stdout: '', stderr: message });
});

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recordDaemon, removeDaemonRecord, runningDaemon } from '../../src/cli/pid-file.ts';
import { mayRun, runsHere, THIS_PROCESS } from '../../src/core/process-identity.ts';
import { isDeadHere, WORKER } from '../../src/core/worker.ts';

const [machine, , start] = THIS_PROCESS.split(':');

describe.runIf(process.platform === 'linux')('a process is told by machine, id and start', () => {
  it.each([
    { what: 'itself', identity: THIS_PROCESS, runs: true, here: true },
    {
      what: 'an earlier process with its id, as process 1 of a container finds after a restart',
      identity: `${machine}:${process.pid}:1`,
      runs: false,
      here: false,
    },
    { what: 'an earlier process 1', identity: `${machine}:1:999999999999`, runs: false, here: false },
    { what: 'one that has ended', identity: `${machine}:${spawnSync('true').pid}:${start}`, runs: false, here: false },
    {
      what: 'one in another container or on a clone of this machine, of which nothing is known',
      identity: `000000000000:${process.pid}:1`,
      runs: true,
      here: false,
    },
  ])('$what', ({ identity, runs, here }) => {
    expect({ runs: mayRun(identity), here: runsHere(identity) }).toEqual({ runs, here });
    expect(isDeadHere(`${identity}:00000000`)).toBe(!runs);
  });

  it('its own claims are never those of a dead one', () => expect(isDeadHere(WORKER)).toBe(false));

  it("a stranger that got the id of a killed daemon is not taken for it, even with 'start' on its command line", () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'outreach-identity-'));
    const stranger = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)', 'start']);
    try {
      recordDaemon(dataDir, { url: null, metrics_url: null, started_at: '2026-07-07T12:00:00Z' });
      expect(runningDaemon(dataDir)?.pid).toBe(process.pid);
      const path = join(dataDir, 'daemon.json');
      const record = JSON.parse(readFileSync(path, 'utf8'));
      writeFileSync(path, JSON.stringify({ ...record, pid: stranger.pid, process: `${machine}:${stranger.pid}:1` }));
      expect(runningDaemon(dataDir)).toBeUndefined();
      recordDaemon(dataDir, { url: null, metrics_url: null, started_at: '2026-07-07T12:00:00Z' });
      removeDaemonRecord(dataDir);
      expect(runningDaemon(dataDir)).toBeUndefined();
    } finally {
      stranger.kill('SIGKILL');
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});

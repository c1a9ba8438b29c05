import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Daemon, startDaemon } from '../../src/main/daemon.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { type Enrolled, insertCampaign, insertEnrolment } from '../support/rows.ts';
import { waitUntil } from '../support/wait-until.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/run.js', import.meta.url));
const SOCKET = `outreach-${process.pid}`;
const SECONDS = 30;
const PER_SECOND = 1_000;

const hasTmux = (() => {
  try {
    execFileSync('tmux', ['-V']);
    return true;
  } catch {
    console.warn('tmux is missing: the dashboard is not tried in a terminal');
    return false;
  }
})();

const tmux = (...args: string[]) => execFileSync('tmux', ['-L', SOCKET, ...args], { encoding: 'utf8' });
const screen = () => tmux('capture-pane', '-p', '-t', 'dashboard');

let installation: TestInstallation;
let daemon: Daemon;
let folder: string;
let enrolments: Enrolled[];

beforeAll(async () => {
  installation = await testInstallation();
  daemon = await startDaemon(installation.app, { worker: false, databaseUrl: installation.databaseUrl });
  folder = mkdtempSync(join(tmpdir(), 'outreach-pane-'));
  const campaign = await insertCampaign(installation.app, { name: 'Under load' });
  await insertCampaign(installation.app, { name: 'Untouched row', status: 'draft' });
  enrolments = await Promise.all(Array.from({ length: 50 }, () => insertEnrolment(installation.app, campaign)));
});

afterAll(async () => {
  if (hasTmux) {
    try {
      tmux('kill-server');
    } catch {
      // It ends by itself with its last window.
    }
  }
  await daemon?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the dashboard in a terminal of 100×30 and gives its process, once it is live. */
async function openDashboard(): Promise<number> {
  const [pidFile, inner, outer] = ['pid', 'inner.sh', 'outer.sh'].map((name) => join(folder, name)) as [string, string, string];
  writeFileSync(
    inner,
    `echo $$ > ${pidFile}\nexec env OUTREACH_API_KEY=${installation.adminKey} '${process.execPath}' '${PROGRAM}' dashboard --url ${daemon.url}\n`,
  );
  writeFileSync(outer, `sh ${inner}\necho "status $?"\nexec cat\n`);
  tmux('new-session', '-d', '-x', '100', '-y', '30', '-s', 'dashboard', `sh ${outer}`);
  await waitUntil('the dashboard is live', () => screen().includes('● live') && screen().includes('Untouched row'));
  return Number(readFileSync(pidFile, 'utf8'));
}

/** CPU seconds and resident megabytes of a process so far (proc_pid_stat(5), 100 ticks a second). */
function usageOf(pid: number): { cpu: number; megabytes: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return { cpu: (Number(fields[11]) + Number(fields[12])) / 100, megabytes: (Number(fields[21]) * 4_096) / 1024 ** 2 };
}

/** Writes events as other daemons would, at that rate. */
async function flood(): Promise<number> {
  const { pool } = installation.app.db;
  const begun = performance.now();
  let written = 0;
  while (performance.now() - begun < SECONDS * 1_000) {
    const due = Math.floor(((performance.now() - begun) / 1_000) * PER_SECOND) - written;
    const some = Array.from({ length: due }, (_, index) => enrolments[(written + index) % enrolments.length] as Enrolled);
    await pool.query(
      `insert into events (workspace_id, campaign_id, contact_id, enrolment_id, type, step_order, at, in_feed, account_id, domain, day,
          counts_as, is_first_of_email, is_first_of_contact, is_of_first_email)
        select 1, t.c, t.k, t.e, 'opened', 1, $4::timestamptz, true, 1, 'example.com', $4::timestamptz::date, 'opened', false, false, false
        from unnest($1::int[], $2::int[], $3::int[]) t (c, k, e)`,
      [some.map((row) => row.campaignId), some.map((row) => row.contactId), some.map((row) => row.id), installation.app.clock.now()],
    );
    written += due;
    // The rate is the point: a batch every 50 ms.
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return written;
}

describe.skipIf(!hasTmux || process.platform !== 'linux')('the dashboard in a terminal', () => {
  it(`draws ${PER_SECOND} events a second for ${SECONDS} s without touching unchanged rows, in bounded memory`, async () => {
    const pid = await openDashboard();
    const output = join(folder, 'output');
    tmux('pipe-pane', '-t', 'dashboard', `cat > ${output}`);
    const before = usageOf(pid);
    const written = await flood();
    const after = usageOf(pid);
    const bytes = readFileSync(output, 'utf8');
    const share = (100 * (after.cpu - before.cpu)) / SECONDS;
    console.log(
      `${written} events; CPU ${share.toFixed(1)} % of a core; memory ${before.megabytes.toFixed(0)} → ${after.megabytes.toFixed(0)} MB; ${Math.round(bytes.length / SECONDS)} bytes/s to the terminal`,
    );
    expect(screen()).toContain('opened');
    expect(bytes).not.toContain('Untouched row');
    expect(bytes).not.toContain('\u001b[2J');
    expect(after.megabytes).toBeLessThan(before.megabytes + 150);
  });

  it('gives the terminal back on q, with status 0', async () => {
    tmux('send-keys', '-t', 'dashboard', 'q');
    await waitUntil('the shell is back', () => screen().includes('status 0'));
    expect(screen()).not.toContain('Untouched row');
    expect(tmux('display-message', '-p', '-t', 'dashboard', '#{alternate_on}').trim()).toBe('0');
  });

  it('gives it back when it is told to end', async () => {
    tmux('kill-session', '-t', 'dashboard');
    const pid = await openDashboard();
    process.kill(pid, 'SIGTERM');
    await waitUntil('the shell is back', () => screen().includes('status '));
    expect(tmux('display-message', '-p', '-t', 'dashboard', '#{alternate_on}').trim()).toBe('0');
  });
});

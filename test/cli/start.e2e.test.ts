import { join } from 'node:path';
import { expect, it } from 'vitest';
import { recordDaemon, removeDaemonRecord, runningDaemon } from '../../src/cli/pid-file.ts';
import { cliOf, processCliOf } from '../support/cli.ts';
import { startDaemonProcess } from '../support/daemon-process.ts';
import { testInstallation } from '../support/database.ts';

const installation = await testInstallation();

/** Causes an unhandled rejection as soon as the log says that the daemon is ready. */
const FAULT = `
  const write = process.stderr.write.bind(process.stderr);
  process.stderr.write = (text, ...rest) => {
    if (String(text).includes('"msg":"ready"')) Promise.reject(new Error('nobody waits for this'));
    return write(text, ...rest);
  };`;

it('a fault that nothing caught ends the daemon with status 1, and the last line of its log says what and what comes of it', async () => {
  const env = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(FAULT)}`, OUTREACH_LOG_LEVEL: 'info' };
  const { status, stderr } = await processCliOf(installation)(['start', '--port', '0'], { env });
  expect(status).toBe(1);
  const line = JSON.parse(stderr.trim().split('\n').at(-1) ?? '');
  expect(line).toMatchObject({ level: 'fatal', err: { message: 'nobody waits for this', stack: expect.stringContaining('at ') } });
  expect(line.msg).toContain('the next start recovers its emails');
});

/** Sends a signal at the moment when the first port is open. */
const SIGNAL = `
  import { Server } from 'node:net';
  const { emit } = Server.prototype;
  Server.prototype.emit = function (name, ...rest) {
    if (name === 'listening') process.kill(process.pid, 'SIGTERM');
    return emit.call(this, name, ...rest);
  };`;

it('SIGTERM is drained from the first moment: the daemon stops by itself, and says so', async () => {
  const env = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(SIGNAL)}`, OUTREACH_LOG_LEVEL: 'info' };
  const { status, stderr } = await processCliOf(installation)(['start', '--port', '0'], { env });
  expect(status).toBe(0);
  const said = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).msg);
  expect(said.slice(-3)).toEqual(['ready', 'draining', 'stopped']);
});

// "The image's HEALTHCHECK (127.0.0.1:8025) makes it `unhealthy`", at any other address or port.
it('outreach healthcheck finds the daemon of the data directory wherever it listens, and fails when it has ended', async () => {
  const home = join(installation.dataDir, 'checked');
  const daemon = await startDaemonProcess({ databaseUrl: installation.databaseUrl, home, env: { OUTREACH_HOST: '127.0.0.2' } });
  const check = () => processCliOf({ dataDir: home, databaseUrl: installation.databaseUrl })(['healthcheck']);
  expect(await check()).toMatchObject({ status: 0, stdout: `Process ${daemon.pid} answers at ${daemon.url}\n` });
  expect(daemon.url).toContain('127.0.0.2');
  await daemon.end('SIGKILL');
  expect(await check()).toMatchObject({ status: 1, stderr: `outreach: no daemon is running on ${home}\n` });
});

// "Two daemons started in the same moment on one data directory with different ports both run; `stop` ends the one recorded last."
it('of two daemons started at once on one data directory, one runs, and the other says which', async () => {
  const home = join(installation.dataDir, 'shared');
  const start = () => startDaemonProcess({ databaseUrl: installation.databaseUrl, home });
  const started = await Promise.allSettled([start(), start()]);
  const running = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  try {
    expect(running.map(({ pid }) => pid)).toEqual([runningDaemon(home)?.pid]);
    const [refused] = started.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
    expect(refused).toContain(
      `outreach: a daemon (process ${running[0]?.pid}) is already running on ${home}; to stop it, run: outreach stop`,
    );
  } finally {
    await Promise.all(running.map((daemon) => daemon.end('SIGTERM')));
  }
  expect(runningDaemon(home)).toBeUndefined();
});

it('outreach status says of a daemon that it serves no API', async () => {
  const { dataDir, app } = installation;
  recordDaemon(dataDir, { url: null, metrics_url: null, started_at: app.clock.now().toISOString() });
  try {
    expect((await processCliOf(installation)(['status'])).stdout).toMatch(/ running without the API since .* UTC \(process \d+\)$/m);
  } finally {
    removeDaemonRecord(dataDir);
  }
});

// "A broken setting takes the service down": `outreach config check` says so before the restart, with the status of wrong usage.
it.each([
  [{ OUTREACH_LOG_LEVEL: 'infoo' }, 'setting OUTREACH_LOG_LEVEL: must be'],
  [{ OUTREACH_LOG_LVL: 'info' }, 'unknown setting OUTREACH_LOG_LVL in the environment (did you mean OUTREACH_LOG_LEVEL?)'],
  [{ OUTREACH_TRUSTED_PROXIES: 'foo bar' }, 'setting OUTREACH_TRUSTED_PROXIES: must be IP addresses or networks'],
  [{ OUTREACH_TRUSTED_PROXIES: '10.0.0.0/33' }, 'setting OUTREACH_TRUSTED_PROXIES: must be IP addresses or networks'],
  [{ OUTREACH_SYSTEM_SMTP_URL: 'smtp://mail.example.com' }, 'OUTREACH_SYSTEM_FROM'],
  [{ OUTREACH_DATABASE_DIRECT_URL: 'postgres://db.example.com/o', DATABASE_URL: '' }, 'requires DATABASE_URL'],
  [{ OUTREACH_SECRET_KEY: 'short' }, 'setting OUTREACH_SECRET_KEY: must be at least 32 bytes'],
])('outreach config check refuses %j', async (env, said) => {
  const { status, stdout, stderr } = await cliOf(installation)(['config', 'check'], { env });
  expect({ status, stdout }, stderr).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain(said);
});

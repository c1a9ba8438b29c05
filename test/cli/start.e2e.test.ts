import { expect, it } from 'vitest';
import { processCliOf } from '../support/cli.ts';
import { testInstallation } from '../support/database.ts';

const installation = await testInstallation();

/** A fault of ours that no code waits for, as soon as the log says that the daemon is ready. */
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

/** A signal in the moment in which the first port is open. */
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

import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createLogger } from '../../src/core/log.ts';
import { notifyReady, startWatchdog } from '../../src/main/service-manager.ts';
import { afterFile } from '../support/after-file.ts';
import { waitUntil } from '../support/wait-until.ts';

const folder = mkdtempSync(join(tmpdir(), 'outreach-watchdog-'));
afterFile(() => rmSync(folder, { recursive: true, force: true }));
const said = join(folder, 'said');
writeFileSync(join(folder, 'systemd-notify'), `#!/bin/sh\necho "$@" >> "${said}"\n`);
chmodSync(join(folder, 'systemd-notify'), 0o755);
const log = createLogger('silent');

it('tells systemd that the process is alive, where the unit asks for it', async () => {
  startWatchdog({ log }, { PATH: `${folder}:${process.env.PATH}` })();
  expect(existsSync(said)).toBe(false);
  const end = startWatchdog({ log }, { PATH: `${folder}:${process.env.PATH}`, NOTIFY_SOCKET: '/run/x', WATCHDOG_USEC: '120000000' });
  await waitUntil('systemd is told', () => existsSync(said) && readFileSync(said, 'utf8') === 'WATCHDOG=1\n', 30);
  end();
});

it('tells systemd when the daemon is ready, so that `systemctl start` returns then and not before', async () => {
  rmSync(said, { force: true });
  notifyReady({ log }, { PATH: `${folder}:${process.env.PATH}` });
  notifyReady({ log }, { PATH: `${folder}:${process.env.PATH}`, NOTIFY_SOCKET: '/run/x' });
  await waitUntil('systemd is told', () => existsSync(said) && readFileSync(said, 'utf8') === 'READY=1\n', 30);
});

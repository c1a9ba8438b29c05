import { statSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../core/config.ts';
import { systemdUnit } from './systemd-unit.ts';

const SERVICE_USER = 'outreach';

/**
 * Writes `outreach.service` to the data directory, for root to copy: if systemd read a unit that the service can write,
 * anyone who takes over the service would become root.
 * @returns the path, and the commands that install the unit
 */
export function writeUnit(config: Config, root: string): { path: string; steps: string } {
  const path = join(config.dataDir, 'outreach.service');
  const isRoots = statSync(config.dataDir).uid === 0;
  const user = isRoots ? SERVICE_USER : userInfo().username;
  const { dataDir, port } = config;
  writeFileSync(path, systemdUnit({ node: process.execPath, program: join(root, 'bin/run.js'), dataDir, user, port }), { mode: 0o644 });
  const steps = [
    ...(isRoots ? [`useradd --system --home-dir ${dataDir} --shell /usr/sbin/nologin ${user}`, `chown -R ${user}: ${dataDir}`] : []),
    `install -m 644 ${path} /etc/systemd/system/`,
    'systemctl daemon-reload && systemctl enable --now outreach',
  ];
  return {
    path,
    steps: `The systemd unit is ${path}. To install it, run these commands as root with no daemon running:\n\n${steps.map((step) => `  ${step}`).join('\n')}`,
  };
}

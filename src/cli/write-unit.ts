import { statSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../core/config.ts';
import { BACKUP_FOLDER, backupUnits } from './backup-units.ts';
import { quoted } from './client/hint.ts';
import { systemdUnit } from './systemd-unit.ts';

const SERVICE_USER = 'outreach';

const indented = (lines: readonly string[]) => lines.map((line) => `  ${line}`).join('\n');

/**
 * Writes `outreach.service` and the units of a nightly backup to the data directory, for root to copy: if systemd read a unit that the service can write,
 * anyone who takes over the service would become root.
 * @returns the path of `outreach.service`, and the commands that install the units
 */
export function writeUnit(config: Config, root: string): { path: string; steps: string } {
  const path = join(config.dataDir, 'outreach.service');
  const isRoots = statSync(config.dataDir).uid === 0;
  const user = isRoots ? SERVICE_USER : userInfo().username;
  const { dataDir, port } = config;
  const options = { node: process.execPath, program: join(root, 'bin/run.js'), dataDir, user, port };
  writeFileSync(path, systemdUnit(options), { mode: 0o644 });
  const backup = Object.entries(backupUnits(options)).map(([name, text]) => {
    writeFileSync(join(dataDir, name), text, { mode: 0o644 });
    return join(dataDir, name);
  });
  const steps = [
    ...(isRoots
      ? [`useradd --system --home-dir ${quoted(dataDir)} --shell /usr/sbin/nologin ${user}`, `chown -R ${user}: ${quoted(dataDir)}`]
      : []),
    `install -m 644 ${quoted(path)} /etc/systemd/system/`,
    'systemctl daemon-reload && systemctl enable --now outreach',
  ];
  const nightly = [
    `install -d -o ${user} -m 700 ${BACKUP_FOLDER}`,
    `install -m 644 ${backup.map(quoted).join(' ')} /etc/systemd/system/`,
    'systemctl daemon-reload && systemctl enable --now outreach-backup.timer',
  ];
  return {
    path,
    steps: `The systemd unit is ${path}. To install it, run these commands as root with no daemon running:\n\n${indented(steps)}\n\nFor a backup every night:\n\n${indented(nightly)}`,
  };
}

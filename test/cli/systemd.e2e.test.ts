import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { backupUnits } from '../../src/cli/backup-units.ts';
import { systemdUnit } from '../../src/cli/systemd-unit.ts';
import { writeUnit } from '../../src/cli/write-unit.ts';
import { loadConfig } from '../../src/core/config.ts';
import { cliOf, succeed } from '../support/cli.ts';
import { testInstallation } from '../support/database.ts';
import { blocksOf } from '../support/docs.ts';

const folder = mkdtempSync(join(tmpdir(), 'outreach-unit-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
if (!hasSystemd) console.warn('systemd-analyze is missing: the unit is not verified');

const options = { node: process.execPath, program: '/opt/outreach/bin/run.js', dataDir: '/var/lib/outreach', user: 'daemon', port: 8025 };

describe('outreach install --systemd', () => {
  it('writes a unit for this program and data directory, and changes nothing else', async () => {
    const installation = await testInstallation();
    const cli = cliOf(installation);
    const { systemd_unit: path, ...rest } = await succeed(cli, 'install', '--systemd');
    expect(path).toBe(join(installation.dataDir, 'outreach.service'));
    expect(rest.api_key).toBeNull();
    const unit = readFileSync(path, 'utf8');
    expect(unit).toContain(`Environment=OUTREACH_DATA_DIR=${installation.dataDir}\n`);
    expect(unit).toMatch(new RegExp(`^ExecStart=${process.execPath} \\S+/bin/run\\.js start$`, 'm'));
    expect(unit).not.toMatch(/^User=root$/m);
    expect(unit).not.toMatch(/DATABASE_URL=|OUTREACH_SECRET_KEY=/);
    const { stdout } = await cli(['install', '--systemd']);
    expect(stdout).toContain(`install -m 644 ${path} /etc/systemd/system/`);
    expect(stdout).toContain('systemctl enable --now outreach-backup.timer');
    expect(readFileSync(join(installation.dataDir, 'outreach-backup.service'), 'utf8')).toContain(installation.dataDir);
  });

  it('quotes a path that the shell would split, in the commands that install it', () => {
    const dataDir = join(folder, 'our data');
    mkdirSync(dataDir);
    const { steps } = writeUnit({ ...loadConfig({ dataDir, logLevel: 'silent' }, {}) }, '/opt/outreach');
    expect(steps).toContain(`install -m 644 "${dataDir}/outreach.service" /etc/systemd/system/`);
    expect(steps).toContain(`install -m 644 "${dataDir}/outreach-backup.service" "${dataDir}/outreach-backup.timer" /etc/systemd/system/`);
  });

  it('quotes what systemd would read otherwise', () => {
    const unit = systemdUnit({ ...options, dataDir: '/srv/100% ours', program: '/opt/out reach/bin/run.js' });
    expect(unit).toContain('Environment="OUTREACH_DATA_DIR=/srv/100%% ours"\n');
    expect(unit).toContain('"/opt/out reach/bin/run.js" start\n');
  });

  it('asks for one capability for a port below 1024 and for none above', () => {
    expect(systemdUnit(options)).toMatch(/^CapabilityBoundingSet=$/m);
    expect(systemdUnit({ ...options, port: 443 })).toMatch(/^CapabilityBoundingSet=CAP_NET_BIND_SERVICE$/m);
  });

  it('starts again after any end but that of wrong settings, and leaves the embedded PostgreSQL running when the daemon is killed', () => {
    const unit = systemdUnit(options);
    for (const line of [
      'Type=notify',
      'NotifyAccess=all',
      'KillMode=process',
      'Restart=always',
      'RestartPreventExitStatus=2',
      'SyslogIdentifier=outreach',
    ])
      expect(unit.split('\n')).toContain(line);
  });

  // With OUTREACH_DATA_DIR in its environment the nightly backup did not read /etc/outreach/outreach.toml, and failed every night.
  it('names no settings in the units of a package, which has its file for them', () => {
    const units = [systemdUnit({ ...options, isPackaged: true }), backupUnits({ ...options, isPackaged: true })['outreach-backup.service']];
    for (const unit of units) expect(unit).not.toMatch(/^Environment=OUTREACH|^EnvironmentFile=/m);
  });

  it('leaves homes readable where program or data lie in one', () => {
    expect(systemdUnit(options)).toMatch(/^ProtectHome=yes$/m);
    expect(systemdUnit({ ...options, dataDir: '/home/zoe/.local/share/outreach' })).toMatch(/^ProtectHome=read-only$/m);
  });

  it.runIf(hasSystemd)('systemd finds nothing wrong with it and hardly any exposure (systemd-analyze verify, security)', () => {
    const path = join(folder, 'outreach.service');
    writeFileSync(path, systemdUnit({ ...options, program: new URL('../../bin/run.js', import.meta.url).pathname }));
    // The file that an administrator adds with `systemctl edit`.
    mkdirSync(`${path}.d`);
    writeFileSync(`${path}.d/override.conf`, blocksOf('docs/installing.md', 'ini')[0]?.text ?? '');
    const analyze = (...args: string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' });
    const backup = Object.entries(backupUnits(options)).map(([name, text]) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    });
    const verified = analyze('verify', '--man=no', path, ...backup);
    expect(verified.stderr.split('\n').filter((line) => /outreach(-backup)?\.(service|timer)|override\.conf/.test(line))).toEqual([]);
    const { stdout, stderr } = analyze('security', '--offline=true', '--no-pager', path);
    const [, exposure = '10'] = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout) ?? [];
    expect(Number(exposure), stderr + stdout).toBeLessThanOrEqual(2);
  });
});

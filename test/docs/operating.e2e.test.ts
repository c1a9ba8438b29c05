import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { backupUnits } from '../../src/cli/backup-units.ts';
import { createLogger } from '../../src/core/log.ts';
import { startDaemon } from '../../src/main/daemon.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { blocksOf, pageText } from '../support/docs.ts';
import { type Shell, shellOf } from '../support/docs-shell.ts';
import { freePort } from '../support/imap-server.ts';
import { parseExposition } from '../support/prometheus.ts';

let installation: TestInstallation;
let shell: Shell;

beforeAll(async () => {
  installation = await testInstallation({ metricsPort: 0 });
  shell = shellOf(installation);
});

describe('docs/scaling.md', () => {
  it('two start on one database, are well, and stop', async () => {
    const ports = [await freePort(), await freePort()];
    const { status, output } = await shell(blocksOf('docs/scaling.md', 'sh'), {
      replace: { '/srv/': `${installation.dataDir}/`, '8025': String(ports[0]), '8026': String(ports[1]) },
    });
    expect(output).not.toMatch(/^outreach: /m);
    expect(status, output).toBe(0);
    for (const port of ports) expect(output).toContain(`Outreach is ready at http://127.0.0.1:${port}`);
    expect(output.match(/^Stopped process \d+\.$/gm)).toHaveLength(2);
  });
});

describe('docs/operating.md', () => {
  it('the unit of the nightly backup writes one, and then removes those that are older than two weeks', async () => {
    const folder = join(installation.dataDir, 'nightly');
    mkdirSync(folder);
    const program = new URL('../../bin/run.js', import.meta.url).pathname;
    const units = backupUnits({ node: process.execPath, program, dataDir: installation.dataDir, user: 'outreach', port: 8025 });
    expect(units['outreach-backup.timer']).toMatch(/^OnCalendar=/m);
    // What systemd makes of its specifiers and of $$.
    const commands = [...(units['outreach-backup.service'] ?? '').matchAll(/^ExecStart(?:Post)?=(.*)$/gm)].map(([, command = '']) =>
      command.replaceAll('%%', '%').replaceAll('$$', '$'),
    );
    const before = ["touch -d '20 days ago' /var/backups/outreach/outreach-old.backup", 'touch /var/backups/outreach/other'];
    const { status, output } = await shell([...before, ...commands], { replace: { '/var/backups/outreach': folder } });
    expect(status, output).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(['other', expect.stringMatching(/^outreach-\d{4}-\d\d-\d\dT\d{4}\.backup$/)]);
  });

  // After the other commands: it leaves a secret that they do not have.
  it('backup, restore, a recovered database, and a new secret, one after the other', async () => {
    const folder = join(installation.dataDir, 'backups');
    mkdirSync(folder);
    const [backup, restore, recovered, secret, ...others] = blocksOf('docs/operating.md', 'sh');
    expect(others).toEqual([]);
    // The page restores what was made on another day.
    const sameFile = 'mv /backups/outreach-*.backup /backups/outreach-2026-01-31.backup';
    const { status, output } = await shell([backup ?? '', sameFile, restore ?? '', recovered ?? '', secret ?? ''], {
      // At a terminal it asks.
      replace: { '/backups/': `${folder}/`, 'restore --replace': 'restore --replace --yes' },
    });
    expect(output).not.toMatch(/^outreach: /m);
    expect(status, output).toBe(0);
    expect(output).toMatch(/Wrote [\d,]+ rows/);
    expect(output).toMatch(/Restored [\d,]+ rows in \d+ tables from \d{4}-\d\d-\d\d \d\d:\d\d UTC\./);
    expect(output).toMatch(/^Paused \d+ accounts? and \d+ campaigns?\.$/m);
  });

  it('its lines of the log are ones that are written', () => {
    for (const { text } of blocksOf('docs/operating.md', 'json')) {
      const lines: string[] = [];
      const { level, time, msg, ...fields } = JSON.parse(text);
      createLogger('info', { write: (line) => void lines.push(line) })[level as 'info'](fields, msg);
      expect(JSON.parse(lines[0] ?? '')).toEqual({ level, time: expect.stringMatching(/Z$/), ...fields, msg });
      expect(Object.keys(JSON.parse(lines[0] ?? ''))).toEqual(Object.keys(JSON.parse(text)));
      expect(time).toMatch(/Z$/);
    }
  });

  it('its table names every metric that there is', async () => {
    const daemon = await startDaemon(installation.app, { worker: false, databaseUrl: installation.databaseUrl });
    try {
      const { families } = parseExposition(await (await fetch(daemon.metricsUrl ?? '')).text());
      const names = families.map(({ name }) => name).filter((name) => name.startsWith('outreach_'));
      const rows = [...pageText('docs/operating.md').matchAll(/^\| (.*`outreach_.*?) \|/gm)].map(([, cell = '']) => cell);
      const described = rows.flatMap((cell) => cell.match(/outreach_\w+/g) ?? []);
      expect(described.sort()).toEqual(names.sort());
    } finally {
      await daemon.stop();
    }
  });
});

// Writes the package's files outside of its own folder: the command, the unit, the settings file, the manual pages and the licences.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { backupUnits } from '../../src/cli/backup-units.ts';
import { systemdUnit } from '../../src/cli/systemd-unit.ts';
import { commandPages } from './commands-page.js';
import { readSettings, settingsFile } from './settings.js';
import { settingsPage } from './settings-page.js';

const NODE = '/usr/lib/outreach/node_modules/node/bin/node';
const PROGRAM = '/usr/lib/outreach/bin/run.js';

/** Writes the system files of a staged package. */
export async function writeSystemFiles(root, stage) {
  const write = (path, content, mode = 0o644) => {
    mkdirSync(dirname(join(stage, path)), { recursive: true });
    writeFileSync(join(stage, path), content, { mode });
  };
  const page = (name) => readFileSync(join(root, name), 'utf8');
  const settings = readSettings(page('docs/settings.md'));
  write('usr/bin/outreach', `#!/bin/sh\nexec ${NODE} ${PROGRAM} "$@"\n`, 0o755);
  const unit = { node: NODE, program: PROGRAM, dataDir: '/var/lib/outreach', user: 'outreach', port: 8025, isPackaged: true };
  write('usr/lib/systemd/system/outreach.service', systemdUnit(unit));
  for (const [name, text] of Object.entries(backupUnits(unit))) write(`usr/lib/systemd/system/${name}`, text);
  write('etc/outreach/outreach.toml', settingsFile(settings));
  for (const [name, text] of await commandPages(root)) write(`usr/share/man/man1/${name}.1.gz`, compressed(text));
  write('usr/share/man/man5/outreach.toml.5.gz', compressed(settingsPage(settings)));
  write('usr/share/doc/outreach/copyright', copyright(page('LICENSE')));
  write('usr/share/lintian/overrides/outreach', page('bin/debian/lintian-overrides'));
  write('usr/share/doc/outreach/changelog.gz', compressed(page('CHANGELOG.md')));
  symlinkSync('../../../lib/outreach/docs', join(stage, 'usr/share/doc/outreach/docs'));
}

/** Compressed without a time, so that the same page always gives the same file. */
const compressed = (text) => gzipSync(text, { level: 9 });

const copyright = (licence) => `${licence}
The libraries in the package have licences of their own: /usr/lib/outreach/dist/THIRD-PARTY-LICENSES.txt lists those of the bundled
ones, the folders in /usr/lib/outreach/node_modules contain the others, among them those of Node and PostgreSQL.
`;

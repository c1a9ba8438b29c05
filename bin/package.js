// Builds the Debian package and the package of the client, and prints their paths: npm run package [-- --out FOLDER] [--compression
// xz|gzip|none]. The first contains Node and the embedded PostgreSQL of this machine's architecture. Needs dpkg-deb, not root; npm packs
// the client from its folder, so nothing is downloaded.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeClientPackage } from './client-package.js';
import { controlFiles } from './debian/control.js';
import { copyProgram } from './debian/program.js';
import { writeSystemFiles } from './debian/system-files.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values } = parseArgs({
  options: { out: { type: 'string', default: join(root, 'packages') }, compression: { type: 'string', default: 'xz' } },
});

execFileSync(process.execPath, [join(root, 'bin/build.js')], { stdio: 'inherit' });
const stage = mkdtempSync(join(tmpdir(), 'outreach-package-'));
try {
  copyProgram(root, join(stage, 'usr/lib/outreach'));
  await writeSystemFiles(root, stage);
  const { name } = controlFiles(root, stage);
  // Independent of the umask here.
  execFileSync('chmod', ['-R', 'u=rwX,go=rX', stage]);
  mkdirSync(values.out, { recursive: true });
  const path = join(values.out, name);
  execFileSync('dpkg-deb', ['--root-owner-group', `-Z${values.compression}`, '--build', stage, path], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  console.log(path);
  const client = join(stage, 'client');
  writeClientPackage(root, client);
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', resolve(values.out)], { cwd: client, encoding: 'utf8' });
  console.log(join(values.out, packed.trim()));
} finally {
  rmSync(stage, { recursive: true, force: true });
}

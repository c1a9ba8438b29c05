// Prepares a release and publishes nothing: npm run release. The version in package.json is the one to release, and CHANGELOG.md has what
// is new under "Unreleased". It runs the checks, heads the changelog, writes the API's contract and an installation for the test of upgrades, builds both packages and prints what is left.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const run = (program, ...words) => execFileSync(program, words, { cwd: root, stdio: 'inherit' });
const ask = (program, ...words) => execFileSync(program, words, { cwd: root, encoding: 'utf8' }).trim();

if (ask('git', 'status', '--porcelain') !== '') throw new Error('commit or stash first: a release is made of a commit');
if (ask('git', 'tag', '--list', `v${version}`) !== '') throw new Error(`v${version} exists already; set the next version in package.json`);

run('npm', 'run', 'check');
run('npm', 'test');

const path = join(root, 'CHANGELOG.md');
const changes = readFileSync(path, 'utf8');
const day = new Date().toISOString().slice(0, 10);
if (!changes.includes('## [Unreleased]\n\n###')) throw new Error('CHANGELOG.md has nothing under "Unreleased"');
writeFileSync(path, changes.replace('## [Unreleased]\n', `## [Unreleased]\n\n## [${version}] - ${day}\n`));
execFileSync('npx', ['vitest', 'run', 'test/api/compatibility.test.ts', 'test/maintenance/upgrade.db.test.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, RELEASED_API: 'write', RELEASED_INSTALLATION: version },
});
run('git', 'add', 'test/fixtures');
run('npm', 'run', 'docs');
run('git', 'commit', '--all', '--message', `Release ${version}`);
run('git', 'tag', '--annotate', `v${version}`, '--message', `Outreach ${version}`);
run('npm', 'run', 'package');
run('npm', 'pack', '--pack-destination', 'packages');

console.log(`
Outreach ${version} is committed, tagged and built in packages/. Install the .deb on a clean machine, then publish:
  git push origin main v${version}
  upload the files of packages/ with the section of CHANGELOG.md`);

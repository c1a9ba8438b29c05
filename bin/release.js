// Prepares a release and publishes nothing: npm run release. The version in package.json is the one to release, and CHANGELOG.md has what
// is new under "Unreleased". It runs the checks, heads the changelog, writes the API's contract and an installation for the test of upgrades,
// commits, builds the packages in packages/, tags, and prints what is left. If it fails after the checks, `git reset --hard` to where it began.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const run = (program, ...words) => execFileSync(program, words, { cwd: root, stdio: 'inherit' });
const ask = (program, ...words) => execFileSync(program, words, { cwd: root, encoding: 'utf8' }).trim();

if (ask('git', 'status', '--porcelain') !== '') throw new Error('commit or stash first: a release is made of a commit');
if (ask('git', 'tag', '--list', `v${version}`) !== '') throw new Error(`v${version} exists already; set the next version in package.json`);
const path = join(root, 'CHANGELOG.md');
const changes = readFileSync(path, 'utf8');
if (changes.includes(`\n## [${version}]`)) throw new Error(`CHANGELOG.md has a section of ${version} already`);
if (!/\n## \[Unreleased\]\n\n(?!## )\S/.test(changes)) throw new Error('CHANGELOG.md has nothing under "Unreleased"');

run('npm', 'run', 'check');
run('npm', 'test');

const day = new Date().toISOString().slice(0, 10);
writeFileSync(path, changes.replace('## [Unreleased]\n', `## [Unreleased]\n\n## [${version}] - ${day}\n`));
execFileSync('npx', ['vitest', 'run', 'test/api/compatibility.test.ts', 'test/maintenance/upgrade.db.test.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, RELEASED_API: 'write', RELEASED_INSTALLATION: version },
});
run('git', 'add', 'test/fixtures');
run('npm', 'run', 'docs');
run('git', 'commit', '--all', '--message', `Release ${version}`);
// Files of an earlier build do not belong to this release.
rmSync(join(root, 'packages'), { recursive: true, force: true });
run('npm', 'run', 'package');
run('npm', 'pack', '--pack-destination', 'packages');
// Tagged last, so that a failed release can be retried.
run('git', 'tag', '--annotate', `v${version}`, '--message', `Outreach ${version}`);

console.log(`
Outreach ${version} is committed, tagged and built in packages/. Install the .deb on a clean machine, then publish:
  git push origin HEAD v${version}
  upload the files of packages/ with the section of CHANGELOG.md`);

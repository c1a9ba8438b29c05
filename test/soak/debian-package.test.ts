import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { afterFile } from '../support/after-file.ts';
import { blocksOf, ROOT } from '../support/docs.ts';
import { freePort } from '../support/imap-server.ts';
import { hasMachines, type Machine, startMachine } from '../support/machine.ts';
import { waitUntil } from '../support/wait-until.ts';

const canBuild = spawnSync('dpkg-deb', ['--version']).status === 0;
const canRun = hasMachines && canBuild;
if (!canRun) console.warn('no dpkg-deb, or no right to mount: the Debian package is not installed');

const hasLintian = spawnSync('lintian', ['--version']).status === 0;
if (!hasLintian) console.warn('lintian is missing: the package is not judged by it');
const hasGroff = spawnSync('groff', ['--version']).status === 0;
if (!hasGroff) console.warn('groff is missing: the manual pages are not formatted');

const INSTALLED = '/usr/lib/outreach';
const [install, begin, upgrade, remove, purge] = blocksOf('docs/installing.md', 'sh package');

/** Machines may be told to install no manual pages. */
const PACKAGE = 'outreach_1.0.0_amd64.deb';
const PAGE = `dpkg-deb --fsys-tarfile ${PACKAGE} | tar -xO ./usr/share/man`;

let machine: Machine;
let path: string;
let url: string;

const isServing = async () => (await fetch(`${url}/healthz`).catch(() => undefined))?.status === 200;
const isActive = async () => (await machine.run('systemctl is-active outreach')).status === 0;
const systemctl = () =>
  machine
    .read('/run/systemctl.log')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('is-active'));
const processes = async () => (await machine.run('find /proc -maxdepth 1 -user outreach 2>/dev/null || true')).output;

/** A package of a later version, which differs in that alone; what is given is done to its files first. */
async function later(version: string, change = ''): Promise<void> {
  await machine.works(`
    dpkg-deb --raw-extract outreach_1.0.0_amd64.deb later
    sed -i 's/^Version: .*/Version: ${version}/' later/DEBIAN/control
    ${change}
    dpkg-deb --root-owner-group -Znone --build later outreach_${version}_amd64.deb && rm -r later`);
}

describe.runIf(canRun)('The Debian package', { timeout: 240_000 }, () => {
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'outreach-deb-'));
    afterFile(() => rmSync(folder, { recursive: true, force: true }));
    const built = spawnSync('npm', ['run', '--silent', 'package', '--', '--out', folder, '--compression', 'none'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect(built.status, built.stderr).toBe(0);
    [path = ''] = built.stdout.split('\n');
    expect(basename(path)).toMatch(/^outreach_1\.0\.0_(amd64|arm64)\.deb$/);
    machine = await startMachine();
    machine.put(path, '/outreach_1.0.0_amd64.deb');
    // As a person at the terminal answers.
    machine.write('/etc/apt/apt.conf.d/yes', 'APT::Get::Assume-Yes "true";\n');
    url = `http://127.0.0.1:${await freePort()}`;
  }, 240_000);

  it('contains the program with its docs and licences, and nothing that a server does not run', async () => {
    const listed = (await machine.works('dpkg-deb --contents outreach_1.0.0_amd64.deb'))
      .split('\n')
      .map((line) => line.split(/ +/)[5] ?? '');
    for (const path of [
      'bin/run.js',
      'LICENSE',
      'CHANGELOG.md',
      'docs/settings.md',
      'dist/THIRD-PARTY-LICENSES.txt',
      'node_modules/node/LICENSE',
    ])
      expect(listed).toContain(`.${INSTALLED}/${path}`);
    expect(
      listed.filter((path) =>
        /\/(test|bench)\/|\.(ts|map|a)$|\/\.compile-cache|node_modules\/(vitest|typescript|rolldown|@scarf|@types)\//.test(path),
      ),
    ).toEqual([]);
  });

  it("installs without starting anything, for a user of its own, with settings that others can't read", async () => {
    const output = await machine.works(install ?? '');
    expect(output).toContain('outreach install && systemctl enable --now outreach');
    expect(systemctl()).toEqual(['daemon-reload']);
    expect(await machine.works('stat -c "%U %G %a" /etc/outreach/outreach.toml /var/lib/outreach')).toBe(
      'root outreach 640\noutreach outreach 700\n',
    );
    expect(await machine.works('dpkg --verify outreach | grep -v /usr/share/ || true')).toBe('');
  });

  it('has a settings file in which every setting can be switched on', async () => {
    const text = machine.read('/etc/outreach/outreach.toml');
    const some = text.replace('#port = 8025', `port = ${new URL(url).port}`).replace('#idle_connections', 'idle_connections');
    expect(some).not.toBe(text);
    machine.write('/etc/outreach/outreach.toml', some);
    const all = text.replaceAll(/^#([a-z_.]+ = (?!""))/gm, '$1');
    machine.write('/tmp/all.toml', all);
    expect(await machine.works('OUTREACH_SETTINGS_FILE=/tmp/all.toml outreach stop')).toMatch(
      /^No daemon is running on \/var\/lib\/outreach/,
    );
  });

  it.runIf(hasLintian)('has no errors for lintian, but for what this package leaves uncompressed', () => {
    const uncompressed = ['control', 'data'].map((part) => `uses-no-compression-for-${part}-tarball`).join(',');
    const { stdout } = spawnSync('lintian', ['--suppress-tags', uncompressed, path], { encoding: 'utf8' });
    expect(stdout.split('\n').filter((line) => line.startsWith('E:'))).toEqual([]);
  });

  it.runIf(hasGroff)('has manual pages without a warning, of every command and setting', async () => {
    const pages = (await machine.works(`dpkg-deb --contents ${PACKAGE} | grep -o 'man[15]/.*gz$'`)).trim().split('\n');
    const commands = JSON.parse(machine.read(`${INSTALLED}/oclif.manifest.json`)).commands as Record<string, { hidden: boolean }>;
    const documented = Object.keys(commands).filter((id) => !commands[id]?.hidden);
    expect(pages).toEqual(expect.arrayContaining(documented.map((id) => `man1/outreach-${id.replaceAll(':', '-')}.1.gz`)));
    const formatted = 'zcat | groff -K utf8 -man -Tutf8 -ww -z';
    const { output } = await machine.run(pages.map((page) => `${PAGE}/${page} | ${formatted}`).join('\n'));
    expect(output).toBe('');
    const text = (name: string) => machine.works(`${PAGE}/man1/${name}.1.gz | zcat | groff -K utf8 -man -Tascii -P -cbou -rLL=200n`);
    for (const words of ['outreach-account-connect(1)', 'Connect an account', 'EXIT STATUS'])
      expect(await text('outreach')).toContain(words);
    const connect = await text('outreach-account-connect');
    for (const words of ['outreach account connect email', '--smtp-url smtp[s]://USER@HOST:PORT', 'EXAMPLES', '--workspace'])
      expect(connect).toContain(words);
    expect(await text('outreach-start')).toContain('--no-worker');
    const settings = await machine.works(`${PAGE}/man5/outreach.toml.5.gz | zcat | groff -K utf8 -man -Tascii -P -cbou -rLL=200n`);
    for (const words of ['database_url', 'Default: 127.0.0.1, 8025', 'Environment: OUTREACH_BASE_URL']) expect(settings).toContain(words);
  });

  it("runs as the docs say, and root's commands leave every file to the service", async () => {
    await machine.works(begin ?? '');
    await waitUntil('the service answers', isServing);
    expect(await machine.works('outreach status')).toContain(url);
    await machine.works('outreach key list && systemctl restart outreach');
    await waitUntil('the service answers again', isServing);
    expect(await machine.works("find /var/lib/outreach /var/cache/outreach -printf '%u\\n' | sort -u")).toBe('outreach\n');
    expect((await machine.works('du -s /var/cache/outreach')).split('\t')[0]).not.toBe('4');
  });

  it('an upgrade drains a daemon that runs, migrates, and starts it; the settings stay', async () => {
    await later('1.1.0', `echo '// of 1.1.0' >>later/usr/lib/outreach/dist/src/cli/main.js`);
    const before = systemctl().length;
    const settings = machine.read('/etc/outreach/outreach.toml');
    await machine.works(upgrade ?? '');
    expect(systemctl().slice(before)).toEqual(['stop outreach.service', 'daemon-reload', 'start outreach.service']);
    await waitUntil('the service answers', isServing);
    expect(machine.read('/etc/outreach/outreach.toml')).toBe(settings);
    expect(machine.read('/var/log/outreach.service.log')).toMatch(/"msg":"draining"[\s\S]*"msg":"stopped"[\s\S]*"msg":"ready"/);
    expect(machine.read(`${INSTALLED}/dist/src/cli/main.js`)).toContain('// of 1.1.0');
  });

  it('where the migration fails, the daemon stays stopped until dpkg is run again', async () => {
    await later('0.3.0', `sed -i '2i [ "$1" != migrate ] || [ -e /run/repaired ] || exit 1' later/usr/bin/outreach`);
    const { status, output } = await machine.run('dpkg --install outreach_0.3.0_amd64.deb');
    expect(status).not.toBe(0);
    expect(output).toContain('the daemon stays stopped, because the database was not migrated');
    expect(await isActive()).toBe(false);
    await machine.works('touch /run/repaired && dpkg --configure outreach');
    await waitUntil('the service answers', isServing);
  });

  it('an upgrade starts nothing but the service that it stopped', async () => {
    await machine.works('systemctl stop outreach && (setsid runuser -u outreach outreach start >/dev/null 2>&1 &)');
    await waitUntil('a daemon outside systemd answers', isServing);
    await later('0.4.0');
    const before = systemctl().length;
    expect(await machine.works('dpkg --install outreach_0.4.0_amd64.deb')).toContain(
      'stopped a daemon that did not run as outreach.service',
    );
    expect(systemctl().slice(before)).toEqual(['stop outreach.service', 'daemon-reload']);
    // The server of its database may still be shutting down.
    await waitUntil('nothing of the user runs any more', async () => (await processes()) === '');
  });

  it('removing stops the daemon and leaves settings and data; installed again, it goes on', async () => {
    await machine.works('systemctl start outreach');
    await waitUntil('the service answers', isServing);
    await machine.works(remove ?? '');
    expect(await processes()).toBe('');
    expect(await machine.works('ls -d /usr/lib/outreach /usr/bin/outreach 2>&1 || true')).not.toMatch(/^\//m);
    await machine.works(`dpkg --install outreach_0.4.0_amd64.deb && systemctl start outreach`);
    await waitUntil('the service answers', isServing);
    expect(await machine.works('outreach user list')).toContain('ada@example.com');
  });

  it('purging deletes all but the user', async () => {
    await machine.works(purge ?? '');
    expect(await processes()).toBe('');
    expect(await machine.works('ls -d /usr/lib/outreach /etc/outreach /var/lib/outreach /var/cache/outreach 2>&1 || true')).not.toMatch(
      /^\//m,
    );
    expect(await machine.works('find /etc /usr /var /run -xdev -user outreach | grep -v ^/var/backups/outreach || true')).toBe('');
    expect(await machine.works('getent passwd outreach')).toContain('/usr/sbin/nologin');
  });
});

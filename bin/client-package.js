// Makes the package outreach-client from the build: the client in one file, and all types that it needs, so that it has no dependencies.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

/** Matches specifiers in declarations: those of imports, and those of inline types. */
const SPECIFIERS = /(?<=\bfrom |\bimport\()(["'])([^"']+)\1/g;

/** Matches the daemon's own types in the types of its procedures. A client needs only the error codes. */
const INTERNAL = /import\("\.\.[^"]+"\)\.(?!ErrorCode\b)\w+/g;

/** Matches links to other pages of the documentation, which the package does not contain. */
const PAGE_LINKS = /\[([^\]]+)\]\((?!https?:|#)[^)]*\)/g;

/** Writes the package to a folder, which it replaces. The program must be built. */
export function writeClientPackage(root, folder) {
  const { version, license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const manifest = {
    ...{
      name: 'outreach-client',
      version,
      description: 'A typed client of an Outreach server',
      license,
      type: 'module',
      sideEffects: false,
    },
    ...{ engines, files: ['index.js', 'types'], types: './types/client/outreach.d.ts' },
    exports: { '.': { types: './types/client/outreach.d.ts', default: './index.js' } },
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const [from, to] of [
    ['dist/src/client/outreach.js', 'index.js'],
    ['LICENSE', 'LICENSE'],
  ])
    cpSync(join(root, from), join(folder, to));
  writeFileSync(join(folder, 'README.md'), readFileSync(join(root, 'docs/client.md'), 'utf8').replaceAll(PAGE_LINKS, '$1'));
  copyTypes(root, join(folder, 'types'), join(root, 'dist/src/client/outreach.d.ts'));
}

/** Copies a declaration file and all that it refers to, including those of tRPC, and makes the references point to the copies. */
function copyTypes(root, folder, path, copied = new Set()) {
  if (copied.has(path)) return;
  copied.add(path);
  const to = join(folder, placeOf(root, path));
  const text = readFileSync(path, 'utf8')
    .replaceAll(INTERNAL, 'object')
    .replaceAll(SPECIFIERS, (whole, quote, specifier) => {
      const target = resolve(path, specifier);
      if (target === undefined) return whole;
      copyTypes(root, folder, target, copied);
      const from = relative(dirname(to), join(folder, placeOf(root, target))).replace(/\.d\.(m?)ts$/, '.$1js');
      return `${quote}${from.startsWith('.') ? from : `./${from}`}${quote}`;
    });
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, text);
}

const placeOf = (root, path) =>
  relative(root, path)
    .replace(/^dist\/src\//, '')
    .replace(/^node_modules\/(@trpc\/\w+)\/dist\//, '$1/');

/** Finds the declaration file of a specifier; undefined for a module of Node, and for examples in comments. */
function resolve(path, specifier) {
  if (specifier.startsWith('node:')) return undefined;
  const beside = join(dirname(path), specifier.replace(/(\.d)?\.(m?)[jt]s$/, '.d.$2ts'));
  if (specifier.startsWith('.')) return existsSync(beside) ? beside : undefined;
  return createRequire(path)
    .resolve(specifier)
    .replace(/\.[cm]?js$/, '.d.mts');
}

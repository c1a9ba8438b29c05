// Builds dist/ and oclif.manifest.json unless they are newer than every source. `--clean` builds in any case, for packing.
import { execFileSync } from 'node:child_process';
import { globSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { noticesOf } from './notices.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const manifest = join(root, 'oclif.manifest.json');
const sources = ['{src,commands,migrations}/**/*.{ts,tsx}', 'bin/*.js', 'tsconfig.json', 'package.json', 'package-lock.json'];

/**
 * Packages that are loaded from node_modules, because they read files of their own folder. Ink uses the last one only for its own
 * development.
 */
const UNBUNDLED = ['hoodiecrow-imap', 'mongodb', 'swagger-ui-dist', 'react-devtools-core'];

/** Bundles a program that is started as a separate process, `new URL('./NAME-process.ts', import.meta.url)`, into its own file. */
const processes = {
  name: 'processes',
  transform(code, id) {
    return code.replaceAll(/new URL\('(\.\/[\w-]+-process\.ts)', import\.meta\.url\)/g, (_, path) => {
      const file = this.emitFile({ type: 'chunk', id: join(dirname(id), path), name: basename(path, '.ts') });
      return `new URL(import.meta.ROLLUP_FILE_URL_${file})`;
    });
  },
};

const modified = (path) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
const built = modified('oclif.manifest.json');
if (process.argv.includes('--clean') || globSync(sources, { cwd: root }).some((path) => modified(path) >= built)) await build();

async function build() {
  console.error('Compiling …');
  const rolldown = await bundler();
  const begun = new Date();
  for (const path of [manifest, join(root, 'dist')]) rmSync(path, { recursive: true, force: true });
  declare();
  await bundle(rolldown);
  await writeManifest();
  writeCommit();
  writeRootHelp();
  // So that a source that was changed meanwhile is newer.
  utimesSync(manifest, begun, begun);
}

/** Checks the types and writes the declarations. Those of the client are packed. */
function declare() {
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  try {
    execFileSync(process.execPath, [compiler, '--project', root], { stdio: 'inherit' });
  } catch ({ status }) {
    // The compiler has printed what is wrong.
    process.exit(status ?? 1);
  }
}

/** Loads the bundler. npm silently leaves out its program if npm itself runs on a Node that is too old for it. */
async function bundler() {
  try {
    return (await import('rolldown')).build;
  } catch (error) {
    if (!/native binding/.test(error.message)) throw error;
    const [, node = 'an old version'] = /node\/v(\S+)/.exec(process.env.npm_config_user_agent ?? '') ?? [];
    console.error(
      `npm ci has left out the bundler, which needs Node 20.19 or later; npm runs on Node ${node}. Install a newer Node, delete node_modules, and run npm ci again`,
    );
    process.exit(1);
  }
}

/** Bundles each command with the libraries that it uses: loading 1,200 modules one by one took half of a command's time. */
async function bundle(rolldown) {
  const entries = [...globSync('commands/**/*.ts', { cwd: root }), 'src/cli/main.ts', 'src/cli/unknown-command.ts'];
  const options = { cwd: root, platform: 'node', external: UNBUNDLED, plugins: [processes] };
  const output = { dir: join(root, 'dist'), keepNames: true };
  const { output: files } = await rolldown({
    ...options,
    input: Object.fromEntries(entries.map((path) => [path.replace(/\.ts$/, ''), path])),
    output: {
      ...output,
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name]-[hash].js',
      // Code that nearly all commands load is one file, which links faster than twenty: this saves 7 % of a command's time.
      codeSplitting: { groups: [{ name: 'command', minShareCount: 100 }] },
    },
  });
  // The client, which bin/client-package.js makes a package of.
  await rolldown({ ...options, input: 'src/client/outreach.ts', output: { ...output, entryFileNames: 'src/client/outreach.js' } });
  writeFileSync(join(root, 'dist/THIRD-PARTY-LICENSES.txt'), noticesOf(files.flatMap(({ moduleIds }) => moduleIds ?? [])));
}

/** Writes the flags and help of all commands to the manifest, so that oclif loads only the command that is run. */
async function writeManifest() {
  process.env.NODE_ENV ??= 'production';
  const { Plugin } = await import('@oclif/core/config');
  const plugin = new Plugin({ root, ignoreManifest: true, errorOnManifestCreate: true, respectNoCacheDefault: true });
  await plugin.load();
  writeFileSync(manifest, JSON.stringify(plugin.manifest));
}

/** Writes the commit for `--version`; for a release, writes nothing. COMMIT names it if there is no repository, as in a container. */
function writeCommit() {
  const git = (...words) => {
    try {
      return execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    } catch {
      return '';
    }
  };
  const isOurs = git('rev-parse', '--show-toplevel') === root;
  const isRelease = isOurs && git('describe', '--exact-match', '--match', 'v*') !== '';
  writeFileSync(join(root, 'dist/commit'), isRelease || !isOurs ? (process.env.COMMIT ?? '') : git('rev-parse', '--short=8', 'HEAD'));
}

/** Writes the help of the program, which src/cli/main.ts prints without loading oclif. */
function writeRootHelp() {
  const env = { ...process.env, FORCE_COLOR: '1', NO_COLOR: '', NODE_DISABLE_COMPILE_CACHE: '1' };
  writeFileSync(join(root, 'dist/help.txt'), execFileSync(process.execPath, [join(root, 'bin/run.js'), 'help'], { env }));
}

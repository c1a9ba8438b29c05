// Builds dist/ if a source is newer than the last build: with nothing to build, this takes milliseconds. `--clean` rebuilds
// everything, for packing.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { noticesOf } from './notices.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const program = join(root, 'dist/src/cli/main.cjs');
/** Written last, with the time at which the build started. */
const manifest = join(root, 'oclif.manifest.json');
const sources = ['{src,commands,migrations}/**/*.{ts,tsx}', 'bin/{build,notices}.js', 'tsconfig.json', 'package.json', 'package-lock.json'];

/** Packages that read files from their own folder at run time; they are loaded from node_modules. */
const UNBUNDLED = ['hoodiecrow-imap', 'mongodb', 'swagger-ui-dist'];

/** How the bundler loads a module of Node, and what it then makes of one that has a default export. */
const BUILTIN_REQUIRE = /^let (\w+(?:\$\d+)?) = require\("(node:[\w/]+)"\);\n(?:\1 = [\w.]+\(\1(?:, 1)?\);\n)?/gm;

/** Modules of Node that take 1 to 3 ms to load and that most commands have no use for. */
const LATE_BUILTINS = [
  'child_process',
  'crypto',
  'dns',
  'dns/promises',
  'fs/promises',
  'http',
  'https',
  'readline',
  'readline/promises',
  'stream/consumers',
  'stream/promises',
  'tls',
  'v8',
  'zlib',
].map((name) => `node:${name}`);

/** A `require` of another chunk for what loading it does. */
const BARE_REQUIRE = /^require\("\.[^"]*"\);\n/gm;

/** A CommonJS module in a chunk. V8 compiles a whole function in parentheses when it loads the file, used or not. */
const WRAPPED_MODULE = /^(var [\w$]+ = [\w./* @]*__commonJSMin\()\((\([^()]*\) => \{\n[\s\S]*?\n\})\)(\)(?:\(\))?;)$/gm;

/**
 * Modules that are loaded together, in one file a group: finding and opening a file takes a quarter of a millisecond, and a local command needed a
 * hundred. A module is in the first group that needs it: MikroORM is in one with the entities,
 * which reading does not load, and pg in another. What a command needs to connect is apart from the procedures,
 * which it loads while PostgreSQL opens the connection.
 */
const GROUPS = [
  { name: 'pg', test: /^(?!.*@mikro-orm).*node_modules\/pg(-[\w-]+)?\//, priority: 7 },
  { name: 'records', test: /node_modules\/@mikro-orm\/|src\/[\w/]+\/entities\.ts$/, priority: 6 },
  {
    name: 'command',
    test: /src\/(cli\/(base-command|run-command|report|client\/client-command|list-output)|core\/clock)\.ts$/,
    priority: 5,
  },
  { name: 'trpc', test: /node_modules\/@trpc\/client\//, priority: 5 },
  { name: 'client', test: /src\/client\/create-client\.ts$/, priority: 4 },
  {
    name: 'settings',
    test: /node_modules\/zod\/|src\/(core\/(config|settings(-file)?|errors|english|nearest-name|random|micro-batcher|fair-turns)|cli\/installation)\.ts$/,
    priority: 4,
  },
  { name: 'values', test: /node_modules\/luxon\/|src\/(core\/(?!log|metrics|public-address|worker)|fields\/|files\/)/, priority: 2 },
  { name: 'local', test: /src\/(cli\/client\/local|main\/runtime|core\/log|db\/migrate)\.ts$/, priority: 2 },
  { name: 'procedures', test: /src\/cli\/client\/procedures\.ts$/, priority: 1 },
  {
    name: 'rooms',
    test: /src\/((accounts|campaigns|events|oauth|outbox|webhooks)\/|mail\/replies|api\/routers\/campaign-schema)/,
    // Only what most of the program needs, and not what that needs in turn, which would be half of the program.
    minShareCount: 20,
    includeDependenciesRecursively: false,
    priority: 0,
  },
];

/** Where loading a file does nothing by itself: of an index, only what is used is loaded. */
const PASSIVE = ['src/', 'migrations/', 'node_modules/@mikro-orm/migrations/'];
const isPassive = (id) => PASSIVE.some((folder) => id.startsWith(join(root, folder)));

/** Bundles the program of another process, which is named by its URL, into a file of its own and names that. */
const processes = {
  name: 'processes',
  transform(code, id) {
    if (!id.startsWith(join(root, 'src'))) return undefined;
    return code.replaceAll(/new URL\('(\.\/[\w-]+-process\.ts)', import\.meta\.url\)/g, (_, path) => {
      const file = this.emitFile({ type: 'chunk', id: join(dirname(id), path), name: basename(path, '.ts') });
      return `new URL(import.meta.ROLLUP_FILE_URL_${file})`;
    });
  },
};

/**
 * Takes for granted that zod coerces, where trpc-openapi asks the whole of zod for it: whoever holds a module as an object keeps all of it,
 * and zod's messages in fifty languages were half of what a command loads of zod.
 */
const coercing = {
  name: 'coercing',
  transform(code, id) {
    return id.includes('/trpc-openapi/') ? code.replace("'coerce' in z;", 'true;') : undefined;
  },
};

/** Bundles pino, which the program requires when it first logs. */
const latePino = {
  name: 'late-pino',
  transform(code, id) {
    return id === join(root, 'src/core/log.ts') ? code.replace("createRequire(import.meta.url)('pino')", "require('pino')") : undefined;
  },
};

/** A `require` of a module of which the compiler names only members: `const help_1 = require("./help");` */
const MEMBER_REQUIRE = /^(?:const|var) (\w+_\d+) = ((?:__importDefault\()?require\("[^"]+"\)\)?);$/gm;

/** Loads what oclif's modules require when they first use it: help, plugins and spinners are for other runs than that of one command. */
const lateOclif = {
  name: 'late-oclif',
  transform(code, id) {
    if (!id.includes('/@oclif/core/lib/')) return undefined;
    const names = [...code.matchAll(MEMBER_REQUIRE)].map(([, name]) => name);
    const late = code.replace(MEMBER_REQUIRE, 'const $1 = () => $2;');
    return names.length === 0 ? undefined : late.replaceAll(new RegExp(`\\b(${names.join('|')})\\.`, 'g'), '($1()).');
  },
};

/** Loads what pg needs for passwords when the server asks for one, and `dns` for its native client, which we don't use. */
const latePg = {
  name: 'late-pg',
  transform(code, id) {
    if (!id.includes('/pg/lib/')) return undefined;
    const [line, name, module] = /^const (crypto|dns) = (require\('[^']+'\))$/m.exec(code) ?? [];
    return line && code.replace(line, `const ${name} = () => ${module}`).replaceAll(new RegExp(`\\b${name}\\.`, 'g'), `${name}().`);
  },
};

/**
 * Takes for granted that oclif does not run in Windows' Linux: looking for that takes 2 ms, and is for a line that tells the version,
 * which is our own.
 */
const plainPlatform = {
  name: 'plain-platform',
  transform(code, id) {
    return id.endsWith('/@oclif/core/lib/util/os.js') ? code.replace("(await import('wsl-utils')).isWsl ? 'wsl' : ", '') : undefined;
  },
};

/**
 * Lays out the dashboard without waiting while files are loaded, which CommonJS can't: Yoga's WebAssembly is compiled at once, and Ink's
 * tools for its own development are left out.
 */
const readyInk = {
  name: 'ready-ink',
  transform(code, id) {
    if (id.endsWith('/ink/build/reconciler.js')) return code.replaceAll("process.env['DEV'] === 'true'", 'false').replaceAll('await ', '');
    if (id.endsWith('/yoga-layout/dist/src/index.js'))
      return code
        .replace(
          "import loadYoga from '../binaries/yoga-wasm-base64-esm.js';",
          "import loadYoga, { wasm } from '../binaries/yoga-wasm-base64-esm.js';",
        )
        .replace('wrapAssembly(await loadYoga())', 'wrapAssembly(yogaAtOnce())')
        .concat(`\n${yogaAtOnce}`);
    if (id.endsWith('/yoga-layout/dist/binaries/yoga-wasm-base64-esm.js')) {
      const [, bytes] = /"data:application\/octet-stream;base64,([\w+/=]+)"/.exec(code);
      return `${code.replace(bytes, '')}\nexport const wasm = "${bytes}";`;
    }
    return undefined;
  },
};

/* global loadYoga, wasm -- of the module that this function becomes a part of */
/** Yoga, as its own asynchronous start makes it. */
function yogaAtOnce() {
  const yoga = {
    instantiateWasm(imports, use) {
      const instance = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(wasm, 'base64')), imports);
      use(instance);
      return instance.exports;
    },
  };
  loadYoga(yoga);
  return yoga;
}

const modified = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
if (process.argv.includes('--clean')) rmSync(join(root, 'dist'), { recursive: true, force: true });
const built = modified(program) === 0 ? 0 : modified(manifest);
const isFresh = globSync(sources, { cwd: root }).every((path) => modified(join(root, path)) < built);

if (!isFresh) {
  console.error('Compiling …');
  const begun = new Date();
  await Promise.all([checkTypes(), bundle()]);
  removeOldFiles(begun);
  // Titles in help are bold, whatever this terminal shows; whoever prints a page elsewhere takes that off.
  process.env.FORCE_COLOR = '1';
  delete process.env.NO_COLOR;
  await writeManifest();
  await writeHelp();
  utimesSync(manifest, begun, begun);
}

/** Checks the types and writes the declarations that the package exports. Exits on an error. */
async function checkTypes() {
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  const [status] = await once(spawn(process.execPath, [compiler, '--project', root], { stdio: 'inherit' }), 'exit');
  if (status !== 0) process.exit(status ?? 1);
}

/**
 * Bundles each command, with the libraries it uses, into a few files that commands share: loading 1,200 modules one by one was half of the
 * time that a command took. They are CommonJS, whose compiled code bin/code-cache.js can keep with the functions that were called.
 */
async function bundle() {
  const { rolldown } = await import('rolldown');
  await bundleClient(rolldown);
  const commands = globSync('commands/**/*.ts', { cwd: root });
  // oclif loads the hook by its path, from package.json.
  const input = Object.fromEntries(
    [...commands, 'src/cli/main.ts', 'src/cli/unknown-command.ts'].map((path) => [path.replace(/\.ts$/, ''), join(root, path)]),
  );
  const bundler = await rolldown({
    cwd: root,
    input,
    platform: 'node',
    // A group may export more than the command that it holds.
    preserveEntrySignatures: 'allow-extension',
    external: (id) => UNBUNDLED.some((name) => id === name || id.startsWith(`${name}/`)),
    // MikroORM looks for packages that we don't use, and takes an error for an answer.
    transform: { define: { 'import.meta.resolve': 'undefined' } },
    treeshake: { moduleSideEffects: (id) => (isPassive(id) ? false : undefined) },
    // Agenda asks for the CommonJS build; once is enough.
    resolve: { alias: { luxon: join(root, 'node_modules/luxon/build/es6/luxon.mjs') } },
    plugins: [processes, coercing, latePino, latePg, plainPlatform, lateOclif, readyInk],
  });
  const { output } = await bundler.generate({
    entryFileNames: '[name].cjs',
    chunkFileNames: 'chunks/[name]-[hash].cjs',
    format: 'cjs',
    exports: 'named',
    keepNames: true,
    comments: false,
    charset: 'ascii',
    codeSplitting: { groups: GROUPS },
  });
  // Chunks come before the commands that load them.
  for (const chunk of output.toSorted((a, b) => Number(a.isEntry) - Number(b.isEntry)))
    replace(join(root, 'dist', chunk.fileName), withoutBuiltins(withoutUnused(chunk).replaceAll(WRAPPED_MODULE, '$1$2$3')));
  replace(join(root, 'dist/THIRD-PARTY-LICENSES.txt'), noticesOf(output.flatMap(({ moduleIds }) => moduleIds)));
}

/** Bundles what the package exports, for other programs to import. */
async function bundleClient(rolldown) {
  const bundler = await rolldown({ cwd: root, input: join(root, 'src/client/outreach.ts'), platform: 'node' });
  const { output } = await bundler.generate({ keepNames: true, comments: false, charset: 'ascii', codeSplitting: false });
  replace(join(root, 'dist/src/client/outreach.js'), output[0].code);
}

/**
 * The code of a chunk. One that is made for an index, loaded while the program runs, names the chunks of all that the index exports,
 * used or not: `outreach status` loaded the daemon, and took twice its time.
 */
function withoutUnused({ code, moduleIds }) {
  return moduleIds.every(isPassive) ? code.replaceAll(BARE_REQUIRE, '') : code;
}

/**
 * Takes Node's modules from `process.getBuiltinModule`, some when they are first used. A `require` of one reads all its exports, those
 * that load something when they are read too: that of `node:http` takes 18 ms, because of its WebSocket, and this way 1 ms.
 */
function withoutBuiltins(code) {
  let changed = code;
  for (const [lines, name, id] of code.matchAll(BUILTIN_REQUIRE)) {
    const isLate = LATE_BUILTINS.includes(id);
    const uses = new RegExp(`(?<![\\w$.])${name.replace('$', '\\$')}(?![\\w$])(?:\\.default\\b)?`, 'g');
    const others = changed.replace(lines, '').replaceAll(uses, () => (isLate ? `(${name}())` : name));
    changed = `const ${name} = ${isLate ? '() => ' : ''}globalThis.process.getBuiltinModule("${id}");\n${others}`;
  }
  // Ours are ES modules, which are always strict; what of a library is not has run in one for long.
  return `"use strict";\n${changed}`;
}

/** Replaces a file atomically, so that a command that starts meanwhile reads either the old or the new one. */
function replace(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.partial`, text);
  renameSync(`${path}.partial`, path);
}

/**
 * Removes what earlier builds left. Chunks of the last build stay beside those of this one: a daemon that runs from this folder may yet
 * load one. A command that is gone, or compiled code of files that are, is kept for nobody.
 */
function removeOldFiles(begun) {
  const removeBefore = (pattern, time) => {
    for (const path of globSync(pattern, { cwd: root }).map((name) => join(root, name))) if (modified(path) < time) rmSync(path);
  };
  removeBefore('dist/chunks/*.{js,cjs}', built);
  removeBefore('dist/{commands,src/cli}/**/*.{js,cjs}', begun.getTime());
  rmSync(join(root, 'dist/.compile-cache'), { recursive: true, force: true });
}

/** Writes the flags and help of all commands to the manifest, so that a run loads only the command it needs. */
async function writeManifest() {
  process.env.NODE_ENV ??= 'production';
  const { Plugin } = await import('@oclif/core/config');
  const plugin = new Plugin({ root, ignoreManifest: true, errorOnManifestCreate: true, respectNoCacheDefault: true });
  await plugin.load();
  writeFileSync(manifest, JSON.stringify(plugin.manifest));
}

/** Lays out the help of the program, of its topics and of its commands, 80 columns wide: see src/cli/help-page.ts. */
async function writeHelp() {
  const { Config, Help } = await import('@oclif/core');
  const options = { root, userPlugins: false, devPlugins: false };
  const config = await Config.load(options);
  const named = ({ hidden, pluginName }) => !hidden && pluginName === config.name;
  const paths = [...config.topics, ...config.commands.filter(named)].map(({ name, id }) => (id ?? name).split(':'));
  rmSync(join(root, 'dist/help'), { recursive: true, force: true });
  class Page extends Help {
    text = '';
    log(line) {
      this.text += `${line}\n`;
    }
  }
  for (const path of [[], ...paths]) {
    // A page changes the ids of the commands that it shows.
    const page = new Page(await Config.load(options), { maxWidth: 80 });
    await page.showHelp([...path, '--help']);
    replace(join(root, 'dist/help', `${['outreach', ...path].join(' ')}.txt`), page.text.replace(config.userAgent, '{{version}}'));
  }
}

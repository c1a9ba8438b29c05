import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const MODULE = new URL('../../src/cli/act-as-owner.ts', import.meta.url).href;

/** Returns the message of `actAsOwner` for user 54322, who has no name. */
function refusal(dataDir: string): string {
  const script = `
    import { actAsOwner } from ${JSON.stringify(MODULE)};
    process.setuid(54322);
    try { actAsOwner(${JSON.stringify(dataDir)}); } catch (error) { console.log(error.message); }`;
  return execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
}

/** `man sudo`: "-u user … name or a numeric user-ID prefixed with the '#' character". */
it.runIf(process.getuid?.() === 0)('an owner without a name is named to sudo as it takes one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'outreach-nobodys-'));
  chmodSync(folder, 0o755);
  chownSync(folder, 54_321, 54_321);
  const said = refusal(folder);
  rmSync(folder, { recursive: true });
  expect(said).toBe(`${folder} belongs to 54321, and this user can't write there; run it as 54321: sudo -u '#54321' outreach …\n`);
});

it.runIf(process.getuid?.() === 0)('a data directory in a folder that the user may not enter is named, with what to do', () => {
  const folder = mkdtempSync(join(tmpdir(), 'outreach-private-'));
  const said = refusal(join(folder, 'data'));
  rmSync(folder, { recursive: true });
  expect(said).toBe(`the data directory ${folder}/data can't be read: permission denied; grant this user access, or choose another path\n`);
});

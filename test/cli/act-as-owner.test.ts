import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const MODULE = new URL('../../src/cli/act-as-owner.ts', import.meta.url).href;

/** `man sudo`: "-u user … name or a numeric user-ID prefixed with the '#' character". */
it.runIf(process.getuid?.() === 0)('an owner without a name is named to sudo as it takes one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'outreach-nobodys-'));
  chmodSync(folder, 0o755);
  chownSync(folder, 54_321, 54_321);
  const script = `
    import { actAsOwner } from ${JSON.stringify(MODULE)};
    process.setuid(54322);
    try { actAsOwner(${JSON.stringify(folder)}); } catch (error) { console.log(error.message); }`;
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  expect(said).toBe(`${folder} belongs to 54321, and this user can't write there; run it as 54321: sudo -u '#54321' outreach …\n`);
});

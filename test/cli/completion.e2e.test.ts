// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell variables
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Cli, cliOf } from '../support/cli.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { insertList } from '../support/rows.ts';
import { TEST_SECRET } from '../support/secret.ts';

let installation: TestInstallation;
let cli: Cli;

beforeAll(async () => {
  installation = await testInstallation();
  cli = cliOf(installation);
});

/** A name with characters that each shell must quote. */
const NAME = 'Spring fair ($1)';

/** Scripts that complete the last word of a line in a shell, and print one candidate a line. */
const SHELLS: Record<string, string> = {
  bash: 'source "$SCRIPT"; COMP_WORDS=($LINE ""); COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 )); _outreach; printf "%s\\n" "${COMPREPLY[@]}"',
  fish: 'source $SCRIPT; complete -C "$LINE "',
  zsh: 'compdef() { :; }; compadd() { print -l -- $candidates; }; source $SCRIPT; words=(${=LINE} ""); CURRENT=$#words; _outreach',
};

describe('outreach completion', () => {
  const has = (shell: string) => spawnSync(shell, ['--version']).status === 0;

  it.each(Object.keys(SHELLS).filter(has))('completes commands and the names of records in %s', async (shell) => {
    const { app, dataDir, databaseUrl } = installation;
    await insertList(app, [], { name: NAME });
    const bin = mkdtempSync(join(dataDir, 'bin-'));
    const program = fileURLToPath(new URL('../../bin/run.js', import.meta.url));
    writeFileSync(join(bin, 'outreach'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, { mode: 0o755 });
    const script = join(bin, 'script');
    writeFileSync(script, (await cli(['completion', shell])).stdout);
    const completed = (line: string) => {
      const env = {
        ...{ PATH: `${bin}:${process.env.PATH}`, HOME: dataDir, OUTREACH_DATA_DIR: dataDir, DATABASE_URL: databaseUrl },
        ...{ OUTREACH_SECRET_KEY: TEST_SECRET, SCRIPT: script, LINE: line },
      };
      const flags = { bash: ['--norc'], fish: ['--no-config'], zsh: ['-f'] }[shell] ?? [];
      return spawnSync(shell, [...flags, '-c', SHELLS[shell] ?? ''], { encoding: 'utf8', env })
        .stdout.trim()
        .split('\n');
    };
    expect(completed('outreach campaign step')).toEqual(['add', 'attach', 'delete', 'detach', 'list', 'move', 'set']);
    const quoted = shell === 'bash' ? 'Spring\\ fair\\ \\(\\$1\\)' : NAME;
    // On a busy machine the names may come too late for one Tab; a user would press it again.
    await expect.poll(() => completed('outreach campaign enrol 7 --list'), { timeout: 90_000 }).toContain(quoted);
  });
});

import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Cli, cliOf } from '../support/cli.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';

let installation: TestInstallation;
let cli: Cli;

beforeAll(async () => {
  installation = await testInstallation();
  cli = cliOf(installation);
});

describe('outreach autocomplete', () => {
  it('says how to set completion up, and bash then completes commands and options', async () => {
    const told = await cli(['autocomplete', 'bash']);
    expect(told.status, told.stderr).toBe(0);
    expect(told.stdout).toContain('outreach autocomplete script bash');
    const { stdout: script } = await cli(['autocomplete', 'script', 'bash']);
    const [setup = ''] = /\/\S+\/bash_setup/.exec(script) ?? [];
    const completed = (line: string) =>
      spawnSync(
        'bash',
        [
          '-c',
          `source "$1"; COMP_WORDS=($2); COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 )); COMP_LINE="$2"; _outreach_autocomplete; echo "\${COMPREPLY[@]}"`,
          '-',
          setup,
          line,
        ],
        { encoding: 'utf8', env: { PATH: process.env.PATH ?? '', HOME: installation.dataDir } },
      ).stdout;
    expect(completed('outreach acc')).toContain('account');
    expect(completed('outreach account con')).toContain('connect');
    expect(completed('outreach account connect --smtp')).toContain('--smtp-url');
  });
});

import { Flags } from '@oclif/core';
import { OutreachCommand } from '../src/cli/command.ts';
import { runningDaemon } from '../src/cli/pid-file.ts';

export default class Doctor extends OutreachCommand {
  static override description = `Check everything that sending depends on

Checks the data directory, the secret, the database, its migrations, the job store, and the logins and health of every account \
(see account health). Prints ok, warn or fail, and how to fix it: problems first, grouped by account. Exits with 1 if a \
check fails.`;
  static override examples = ['<%= config.bin %> doctor', '<%= config.bin %> doctor --all', '<%= config.bin %> doctor --json'];
  static override flags = { all: Flags.boolean({ description: 'a line for each check' }) };

  async run() {
    const { flags } = await this.parse(Doctor);
    const config = this.settings(flags);
    const { examine, findingLines } = await import('../src/doctor/index.ts');
    const checks = await examine(config, { daemonUrl: runningDaemon(config.dataDir)?.url });
    this.log(findingLines(checks, flags.all).join('\n'));
    const ok = checks.every(({ result }) => result !== 'fail');
    if (!ok) process.exitCode = 1;
    return { ok, checks };
  }
}

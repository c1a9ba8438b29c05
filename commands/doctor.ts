import { OutreachCommand } from '../src/cli/command.ts';
import { runningDaemon } from '../src/cli/pid-file.ts';

export default class Doctor extends OutreachCommand {
  static override description = `Check everything that sending depends on

Checks the data directory, the secret, the database, its migrations, the job store, the logins of every account and the DNS records of \
their domains. Prints one line per check: ok, warn or fail, and how to fix it. Exits with 1 if a check fails.`;
  static override examples = ['<%= config.bin %> doctor', '<%= config.bin %> doctor --json'];

  async run() {
    const { flags } = await this.parse(Doctor);
    const config = this.settings(flags);
    const { examine } = await import('../src/doctor/index.ts');
    const checks = await examine(config, { daemonUrl: runningDaemon(config.dataDir)?.url });
    for (const { check, result, message } of checks) this.logLine(`${result.padEnd(4)}  ${check}: ${message}`);
    const ok = checks.every(({ result }) => result !== 'fail');
    if (!ok) process.exitCode = 1;
    return { ok, checks };
  }
}

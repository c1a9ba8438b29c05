import { OutreachCommand } from '../src/cli/command.ts';
import { runningDaemon } from '../src/cli/pid-file.ts';

export default class Doctor extends OutreachCommand {
  static override description = `check everything that sending depends on

Data directory, secret, database, migrations, job store, the logins of every mailbox and the DNS records of their domains, one line each: ok, warn or fail, and what to do. The exit status is 1 when something fails.`;
  static override examples = ['<%= config.bin %> doctor', '<%= config.bin %> doctor --json'];

  async run() {
    const { flags } = await this.parse(Doctor);
    const config = this.config_(flags);
    const { examine } = await import('../src/doctor/index.ts');
    const checks = await examine(config, { daemonUrl: runningDaemon(config.dataDir)?.url });
    for (const { check, result, message } of checks) this.log(`${result.padEnd(4)}  ${check}: ${message}`);
    const ok = checks.every(({ result }) => result !== 'fail');
    if (!ok) process.exitCode = 1;
    return { ok, checks };
  }
}

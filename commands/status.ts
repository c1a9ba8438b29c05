import { OutreachCommand } from '../src/cli/command.ts';
import { runningDaemon } from '../src/cli/pid-file.ts';
import { record, table } from '../src/cli/table.ts';
import { versionOf } from '../src/cli/version.ts';
import { SECOND } from '../src/core/clock.ts';

export default class Status extends OutreachCommand {
  static override description = 'Show whether the daemon is running, its queues, the last backup, and when each job last ran';
  static override examples = ['<%= config.bin %> status', '<%= config.bin %> status --json'];

  async run() {
    const { flags } = await this.parse(Status);
    const daemon = runningDaemon(this.settings(flags).dataDir);
    const { lastBackup, readStatus } = await import('../src/monitoring/index.ts');
    const status = await this.withApp(flags, async (app) => ({
      version: versionOf(this.config.root),
      running: daemon !== undefined,
      pid: daemon?.pid ?? null,
      url: daemon?.url ?? null,
      started_at: daemon?.started_at ?? null,
      uptime_seconds: daemon === undefined ? null : secondsSince(daemon.started_at, app.clock.now()),
      ...(await readStatus(app)),
      last_backup_at: await lastBackup(app.db),
    }));
    const { jobs, daemons, ...facts } = status;
    this.log(record(facts));
    if (daemons.length > 0)
      this.log(
        `\n${table(
          daemons.map((daemon) => ({ ...daemon, roles: daemon.roles.join(', ') })),
          ['host', 'pid', 'version', 'roles', 'started_at', 'seen_at'],
        )}`,
      );
    this.log(`\n${table(jobs, ['job', 'every_seconds', 'last_run_at'])}`);
    return status;
  }
}

const secondsSince = (start: string, now: Date): number => Math.max(0, Math.floor((now.getTime() - Date.parse(start)) / SECOND));

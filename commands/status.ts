import { OutreachCommand } from '../src/cli/command.ts';
import { runningDaemon } from '../src/cli/pid-file.ts';
import { record } from '../src/cli/table.ts';
import { SECOND } from '../src/core/clock.ts';

export default class Status extends OutreachCommand {
  static override description = 'Show whether the daemon is running, its queues, and the last backup';
  static override examples = ['<%= config.bin %> status', '<%= config.bin %> status --json'];

  async run() {
    const { flags } = await this.parse(Status);
    const daemon = runningDaemon(this.settings(flags).dataDir);
    const { readStatus } = await import('../src/monitoring/index.ts');
    const { lastBackup } = await import('../src/maintenance/recorded-backups.ts');
    const status = await this.withApp(flags, async (app) => ({
      version: this.config.version,
      running: daemon !== undefined,
      pid: daemon?.pid ?? null,
      url: daemon?.url ?? null,
      started_at: daemon?.started_at ?? null,
      uptime_seconds: daemon === undefined ? null : secondsSince(daemon.started_at, app.clock.now()),
      ...(await readStatus(app)),
      last_backup_at: await lastBackup(app.db),
    }));
    const { daemons, ...numbers } = status;
    this.log(record(numbers));
    for (const { host, pid, version, roles, started_at } of daemons)
      this.log(
        `daemon                process ${pid} on ${host}, version ${version}, ${roles.join(' and ') || 'idle'}, since ${started_at}`,
      );
    return status;
  }
}

const secondsSince = (start: string, now: Date): number => Math.max(0, Math.floor((now.getTime() - Date.parse(start)) / SECOND));

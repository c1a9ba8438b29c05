import { OutreachCommand } from '../src/cli/command.ts';
import { runningDaemon } from '../src/cli/pid-file.ts';
import { record } from '../src/cli/table.ts';

export default class Status extends OutreachCommand {
  static override description = 'Show whether the daemon is running, and its queues';
  static override examples = ['<%= config.bin %> status', '<%= config.bin %> status --json'];

  async run() {
    const { flags } = await this.parse(Status);
    const daemon = runningDaemon(this.settings(flags).dataDir);
    const { readStatus } = await import('../src/monitoring/index.ts');
    const status = {
      running: daemon !== undefined,
      pid: daemon?.pid ?? null,
      url: daemon?.url ?? null,
      started_at: daemon?.started_at ?? null,
      ...(await this.withApp(flags, readStatus)),
    };
    this.log(record(status));
    return status;
  }
}

import { OutreachCommand } from '../src/cli/command.ts';
import { runningDaemon } from '../src/cli/pid-file.ts';
import { record } from '../src/cli/table.ts';
import { sql } from '../src/db/database.ts';

export default class Status extends OutreachCommand {
  static override description = 'whether the daemon runs here, and what it has to do';
  static override examples = ['<%= config.bin %> status', '<%= config.bin %> status --json'];

  async run() {
    const { flags } = await this.parse(Status);
    const daemon = runningDaemon(this.config_(flags).dataDir);
    const counts = await this.withApp(flags, async ({ db }) => {
      const [row] = await db.query<Record<string, number>>(sql`
        select (select count(*)::int from accounts where deleted_at is null and not is_archived) as accounts,
          (select count(*)::int from accounts where deleted_at is null and status <> 'active') as accounts_paused,
          (select count(*)::int from campaigns where status = 'active' and deleted_at is null) as campaigns_active,
          (select count(*)::int from outbox where state in ('claimed', 'transmitting')) as mails_in_flight,
          (select count(*)::int from outbox where state in ('uncertain', 'unknown')) as mails_uncertain,
          (select count(*)::int from call_tasks where status = 'pending') as calls_due`);
      return row;
    });
    const status = {
      running: daemon !== undefined,
      pid: daemon?.pid ?? null,
      url: daemon?.url ?? null,
      started_at: daemon?.started_at ?? null,
      ...counts,
    };
    this.log(record(status));
    return status;
  }
}

import { OutreachCommand } from '../../src/cli/command.ts';
import { table } from '../../src/cli/table.ts';

export default class StatsRecount extends OutreachCommand {
  static override description = `Recount campaign statistics from the event log

Corrects counters that differ. They differ only after manual changes to the tables. Sending continues meanwhile. Exits with 0 in either case.`;
  static override examples = ['<%= config.bin %> stats recount'];

  async run() {
    const { flags } = await this.parse(StatsRecount);
    const { recountStats } = await import('../../src/events/index.ts');
    const corrections = await this.withApp(flags, recountStats);
    if (corrections.length === 0) this.log('All counters are right.');
    else this.log(table(corrections, ['campaign_id', 'counter', 'stored', 'counted']));
    return { corrections };
  }
}

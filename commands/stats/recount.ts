import { OutreachCommand } from '../../src/cli/command.ts';
import { table } from '../../src/cli/table.ts';

export default class StatsRecount extends OutreachCommand {
  static override description = `count all statistics anew from the log, and correct those that differ

Statistics are kept exact as things happen, so this finds nothing unless somebody wrote to the tables by hand. Sending goes
on meanwhile. It exits with 0 either way.`;
  static override examples = ['<%= config.bin %> stats recount'];

  async run() {
    const { flags } = await this.parse(StatsRecount);
    const { recountStats } = await import('../../src/events/index.ts');
    const corrections = await this.withApp(flags, recountStats);
    if (corrections.length === 0) this.log('Every counter equals what the log says.');
    else this.log(table(corrections, ['campaign_id', 'counter', 'stored', 'counted']));
    return { corrections };
  }
}

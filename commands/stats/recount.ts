import { OutreachCommand } from '../../src/cli/command.ts';
import { printTable } from '../../src/cli/print-table.ts';
import { recountTotals } from '../../src/events/index.ts';

export default class StatsRecount extends OutreachCommand {
  static override description = `Add up the event log again

Compares all totals with the log of events and replaces those that differ. They differ only after manual changes to the tables. Sending continues meanwhile. Exits with 0 in either case.`;
  static override examples = ['<%= config.bin %> stats recount'];

  async run() {
    const { flags } = await this.parse(StatsRecount);
    const corrections = await this.withApp(flags, recountTotals);
    if (corrections.length === 0) this.log('All totals are right.');
    else printTable(this, corrections, ['campaign_id', 'rows']);
    return { corrections };
  }
}

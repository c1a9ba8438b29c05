import { OutreachCommand } from '../src/cli/command.ts';
import { quantity } from '../src/core/english.ts';

export default class Recovered extends OutreachCommand {
  static override description = `Pause everything after the database went back in time

For a database that was recovered without outreach restore: from a dump, a snapshot of the disk, or to a point in time. Outreach does not know the emails \
that were sent after that moment, and would send them again. Run it before the first start. Every active account is paused with its campaigns, as by restore.`;
  static override examples = ['<%= config.bin %> recovered'];

  async run() {
    const { flags } = await this.parse(Recovered);
    const { pauseRecovered } = await import('../src/maintenance/pause-sending.ts');
    const paused = await this.withApp(flags, async (app) => pauseRecovered(app, await this.operator(app)));
    this.log(
      `Paused ${quantity(paused.accounts_paused, 'account')} and ${quantity(paused.campaigns_paused, 'campaign')}.\n` +
        'Check the Sent folder of each account before you resume it with: outreach account resume ID',
    );
    return paused;
  }
}

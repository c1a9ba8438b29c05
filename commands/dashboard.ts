import { Flags } from '@oclif/core';
import { OutreachCommand } from '../src/cli/command.ts';
import { runningDaemon } from '../src/cli/pid-file.ts';
import { conflict, invalid } from '../src/core/errors.ts';

export default class Dashboard extends OutreachCommand {
  static override description = `the live terminal dashboard

Talks to a daemon with an API key, so it shows what that key may see and works from another machine too. Press ? for the
keys.`;
  static override examples = [
    'OUTREACH_API_KEY=ork_… <%= config.bin %> dashboard',
    'OUTREACH_API_KEY=ork_… <%= config.bin %> dashboard --url https://outreach.example.com',
  ];
  static override enableJsonFlag = false;
  static override flags = {
    key: Flags.string({
      description: "API key; better given as OUTREACH_API_KEY, where other users can't see it",
      env: 'OUTREACH_API_KEY',
      helpValue: 'K',
    }),
    url: Flags.string({ description: 'where the daemon listens; the one of this data directory when left out', helpValue: 'U' }),
  };

  async run() {
    const { flags } = await this.parse(Dashboard);
    const config = this.config_(flags);
    const url = flags.url ?? runningDaemon(config.dataDir)?.url ?? config.baseUrl;
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) throw invalid('--url: must be of the form http://… or https://…');
    if (flags.key === undefined) throw invalid('an API key is needed: set OUTREACH_API_KEY; make one with: outreach key create');
    if (!process.stdin.isTTY || !process.stdout.isTTY)
      throw conflict('the dashboard needs a terminal; for scripts there is: outreach status --json');
    const { knock, showDashboard } = await import('../src/dashboard/index.tsx');
    await knock({ url, key: flags.key });
    await showDashboard({ url, key: flags.key });
  }
}

import { Flags } from '@oclif/core';
import { OutreachCommand } from '../src/cli/command.ts';
import { warnOfVisible } from '../src/cli/password.ts';
import { runningDaemon } from '../src/cli/pid-file.ts';
import { conflict, invalid } from '../src/core/errors.ts';

export default class Dashboard extends OutreachCommand {
  static override description = `Open the live dashboard

Connects to a daemon with an API key, from any machine, and shows what that key can access. Press ? for help.`;
  static override examples = [
    'OUTREACH_API_KEY=ork_… <%= config.bin %> dashboard',
    'OUTREACH_API_KEY=ork_… <%= config.bin %> dashboard --url https://outreach.example.com',
  ];
  static override enableJsonFlag = false;
  static override flags = {
    key: Flags.string({
      description: "API key; prefer OUTREACH_API_KEY, which other users of this machine can't see",
      env: 'OUTREACH_API_KEY',
      helpValue: 'K',
    }),
    url: Flags.string({
      description: 'address of the daemon (default: OUTREACH_URL, or the daemon of this data directory)',
      env: 'OUTREACH_URL',
      helpValue: 'U',
    }),
  };

  async run() {
    const { flags } = await this.parse(Dashboard);
    const config = this.settings(flags);
    const url = flags.url ?? runningDaemon(config.dataDir)?.url ?? config.baseUrl;
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) throw invalid('--url: must be an http:// or https:// URL');
    if (flags.key === undefined) throw invalid('no API key given; set OUTREACH_API_KEY, or create a key with: outreach key create');
    if (process.argv.some((word) => /^--key(=|$)/.test(word))) warnOfVisible('the API key', 'OUTREACH_API_KEY');
    if (!process.stdin.isTTY || !process.stdout.isTTY)
      throw conflict('the dashboard needs a terminal; in scripts, use: outreach status --json');
    const { checkConnection, showDashboard } = await import('../src/dashboard/index.tsx');
    await checkConnection({ url, key: flags.key });
    await showDashboard({ url, key: flags.key });
  }
}

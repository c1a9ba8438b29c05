// biome-ignore-all lint/style/noProcessEnv: the key in the environment also works for the daemon of this machine

import { ClientCommand } from '../src/cli/client/client-command.ts';
import type { TargetFlags } from '../src/cli/client/target.ts';
import { settingsOf } from '../src/cli/installation.ts';
import type { Login } from '../src/cli/login.ts';
import { warnOfVisible } from '../src/cli/password.ts';
import { runningDaemon } from '../src/cli/pid-file.ts';
import { canMoveCursor } from '../src/cli/terminal.ts';
import { conflict } from '../src/core/errors.ts';

export default class Dashboard extends ClientCommand {
  static override description = `Open the live dashboard

On the machine of the installation it needs no key, and shows the workspace as its operator. With a key, or after outreach login, it \
works from any machine, and shows what that key can access. Press ? for help.`;
  static override examples = [
    '<%= config.bin %> dashboard',
    'OUTREACH_API_KEY=ork_… <%= config.bin %> dashboard --url https://outreach.example.com',
  ];
  static override enableJsonFlag = false;

  async run() {
    const { flags } = await this.parse(Dashboard);
    const server = this.#server(flags);
    if (process.argv.some((word) => /^--key(=|$)/.test(word))) warnOfVisible('the API key', 'OUTREACH_API_KEY');
    if (!process.stdin.isTTY || !process.stdout.isTTY)
      throw conflict('the dashboard needs a terminal; in scripts, use: outreach status --json');
    if (!canMoveCursor()) throw conflict('the dashboard needs a terminal that can move its cursor, and TERM is dumb');
    const [{ createApi, showDashboard }, { apiError }] = await Promise.all([
      import('../src/dashboard/index.tsx'),
      import('../src/cli/client/api-error.ts'),
    ]);
    if (server === undefined) return showDashboard(await this.client(flags));
    const api = createApi(server);
    await api.access.me.query({}).catch((error: unknown) => {
      throw apiError(error, server.url);
    });
    await showDashboard(api);
  }

  /**
   * Returns the daemon and the key to use; undefined to show the installation of this machine without a daemon. A key without a URL is for the
   * daemon of this machine.
   */
  #server(flags: TargetFlags): Login | undefined {
    const key = flags.key ?? (process.env.OUTREACH_API_KEY || undefined);
    if (key === undefined || flags.url !== undefined || process.env.OUTREACH_URL) return this.target(flags);
    const config = settingsOf(flags);
    return { url: runningDaemon(config.dataDir)?.url ?? config.baseUrl, key };
  }
}

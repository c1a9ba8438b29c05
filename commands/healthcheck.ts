import { OutreachCommand } from '../src/cli/command.ts';
import { runningDaemon } from '../src/cli/pid-file.ts';
import { SECOND } from '../src/core/clock.ts';
import { conflict, messageOf } from '../src/core/errors.ts';

/** Shorter than the timeout that container engines set for a health check. */
const TIMEOUT = 4 * SECOND;

export default class Healthcheck extends OutreachCommand {
  static override description = `Check that the daemon of this data directory is alive

For container engines: asks /healthz at the address where the daemon listens, whatever the settings were, or where it serves its metrics. With \
neither, its process must run. Exits with 1 if it does not answer.`;
  static override examples = ['<%= config.bin %> healthcheck'];

  async run() {
    const { flags } = await this.parse(Healthcheck);
    const { dataDir } = this.settings(flags);
    const daemon = runningDaemon(dataDir);
    if (daemon === undefined) throw conflict(`no daemon is running on ${dataDir}`);
    const address = daemon.url ?? daemon.metrics_url;
    if (address !== null) await ask(new URL('/healthz', address));
    this.log(
      address === null ? `Process ${daemon.pid} runs, without the API and without metrics.` : `Process ${daemon.pid} answers at ${address}`,
    );
    return { pid: daemon.pid, url: address };
  }
}

async function ask(url: URL): Promise<void> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT) }).catch((error: unknown) => {
    throw conflict(`the daemon does not answer at ${url.href} (${messageOf(error)}); its log may say why`);
  });
  if (!response.ok) throw conflict(`the daemon answers ${response.status} at ${url.href}`);
}

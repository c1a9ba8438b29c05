import { Flags } from '@oclif/core';
import type { App } from '../src/app.ts';
import { OutreachCommand } from '../src/cli/command.ts';
import { removeDaemonRecord, runningDaemon, writeDaemonRecord } from '../src/cli/pid-file.ts';
import { conflict } from '../src/core/errors.ts';

/** How long a drain may take before the process gives up and says so. */
const DRAIN_SECONDS = 90;

export default class Start extends OutreachCommand {
  static override description = `run the daemon in the foreground until SIGINT or SIGTERM, which drain it

It is ready when GET /healthz answers 200. Several daemons may run on one database. Logs are JSON lines on stderr.`;
  static override examples = ['<%= config.bin %> start', '<%= config.bin %> start --host 0.0.0.0 --port 80 --no-worker'];
  static override enableJsonFlag = false;
  static override flags = {
    api: Flags.boolean({ description: 'serve the API', default: true, allowNo: true }),
    host: Flags.string({ description: 'address to listen on (OUTREACH_HOST)', helpValue: 'H' }),
    install: Flags.boolean({ description: 'install first where that was never done, and run pending migrations' }),
    port: Flags.string({ description: 'port to listen on (OUTREACH_PORT)', helpValue: 'P' }),
    worker: Flags.boolean({ description: 'send mail and poll mailboxes', default: true, allowNo: true }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Start);
    const config = this.config_(flags, {
      ...(flags.host === undefined ? {} : { host: flags.host }),
      ...(flags.port === undefined ? {} : { port: flags.port }),
    });
    const present = runningDaemon(config.dataDir);
    if (present !== undefined)
      throw conflict(`a daemon (process ${present.pid}) already runs on ${config.dataDir}; stop it with: outreach stop`);
    const { openRuntime } = await import('../src/main/runtime.ts');
    const { startDaemon } = await import('../src/main/daemon.ts');
    const { install } = await import('../src/main/install.ts');
    const { migrationStatus } = await import('../src/db/migrate.ts');
    const runtime = await openRuntime(config, { applicationName: 'outreach daemon', poolSize: 20 });
    const { app } = runtime;
    sayWhatEndsIt(app);
    try {
      const isNew = (await migrationStatus(app)).executed.length === 0;
      const key = flags.install || isNew ? (await install(app)).api_key : null;
      // At once: it can't be shown again, and what follows may fail (the port is taken, say).
      if (key) this.log(`API key (shown this once): ${key}`);
      runtime.superviseDatabase();
      const daemon = await startDaemon(app, { api: flags.api, worker: flags.worker, databaseUrl: runtime.databaseUrl });
      writeDaemonRecord(config.dataDir, { pid: process.pid, url: daemon.url ?? null, started_at: app.clock.now().toISOString() });
      this.log(welcome(daemon.url, key));
      const failure = await drainOnSignal(() => daemon.stop());
      removeDaemonRecord(config.dataDir, process.pid);
      if (failure !== undefined) throw failure;
    } finally {
      await runtime.close({ stopDatabase: true });
    }
  }
}

function welcome(url: string | undefined, key: string | null): string {
  const lines = [url === undefined ? 'Outreach is running without its API.' : `Outreach is ready at ${url}`];
  if (key) {
    lines.push('', 'Try next:');
    lines.push(`  curl -H "Authorization: Bearer ${key}" ${url}/api/v1/me`);
    lines.push(
      '  npm exec -- outreach account connect you@example.com --smtp-url smtps://you%40example.com@smtp.example.com:465 --imap-url imaps://you%40example.com@imap.example.com:993',
    );
    lines.push('  npm exec -- outreach status');
  }
  return lines.join('\n');
}

/**
 * A fault that nothing caught ends the process, and the log says so. No drain: nobody knows what still holds; the next
 * start settles what was under way, as after a crash.
 */
function sayWhatEndsIt({ log }: App): void {
  process.once('uncaughtException', (error) => {
    log.fatal({ err: error }, 'a fault that nothing caught ends the daemon; the next start goes on with what was under way');
    process.exit(1);
  });
}

/** Waits for SIGINT or SIGTERM, then drains. A second signal, or a drain that takes too long, ends it at once. */
function drainOnSignal(stop: () => Promise<void>): Promise<Error | undefined> {
  return new Promise((resolve) => {
    let draining = false;
    const onSignal = () => {
      if (draining) return resolve(conflict('stopped before the drain was over; open mails are settled at the next start'));
      draining = true;
      const limit = setTimeout(
        () => resolve(conflict(`the drain took more than ${DRAIN_SECONDS} s and was cut off`)),
        DRAIN_SECONDS * 1_000,
      );
      stop()
        .then(() => resolve(undefined), resolve)
        .finally(() => clearTimeout(limit));
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  });
}

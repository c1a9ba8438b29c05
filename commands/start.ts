import { Flags } from '@oclif/core';
import type { App } from '../src/app.ts';
import { OutreachCommand } from '../src/cli/command.ts';
import { handOverKey } from '../src/cli/first-key.ts';
import { recordDaemon, refuseSecondDaemon, removeDaemonRecord } from '../src/cli/pid-file.ts';
import { type StopSignals, stopSignals } from '../src/cli/stop-signals.ts';
import { versionOf } from '../src/cli/version.ts';
import { programName } from '../src/core/config.ts';
import { conflict } from '../src/core/errors.ts';
import { settingsPath } from '../src/core/settings-file.ts';
import { announceDaemon } from '../src/daemons/index.ts';
import type { Daemon } from '../src/main/daemon.ts';
import { keepHeapSmall } from '../src/main/heap.ts';
import type { Runtime } from '../src/main/runtime.ts';

export default class Start extends OutreachCommand {
  static override description = `Run the daemon in the foreground

Runs until SIGINT or SIGTERM, then finishes the emails being transmitted and exits. The daemon is ready when GET /healthz returns 200. \
Several daemons can share a database. Logs are JSON lines on stderr. The first start installs; without a terminal it writes the first \
API key to a file in the data directory.`;
  static override examples = ['<%= config.bin %> start', '<%= config.bin %> start --host 0.0.0.0 --port 80 --no-worker'];
  static override enableJsonFlag = false;
  static override flags = {
    api: Flags.boolean({ description: 'serve the API', default: true, allowNo: true }),
    host: Flags.string({ description: 'address to listen on (OUTREACH_HOST)', helpValue: 'H' }),
    install: Flags.boolean({ description: 'install if necessary, and run pending migrations' }),
    port: Flags.string({ description: 'port to listen on (OUTREACH_PORT)', helpValue: 'P' }),
    worker: Flags.boolean({ description: 'send emails and poll accounts', default: true, allowNo: true }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Start);
    const config = this.settings(flags, {
      ...(flags.host === undefined ? {} : { host: flags.host }),
      ...(flags.port === undefined ? {} : { port: flags.port }),
    });
    refuseSecondDaemon(config.dataDir);
    keepHeapSmall();
    const signals = stopSignals();
    const { openRuntime } = await import('../src/main/runtime.ts');
    const runtime = await openRuntime(config, { applicationName: 'outreach daemon', isDaemon: true });
    logUncaughtExceptions(runtime.app);
    try {
      await this.#serve(runtime, signals, flags);
    } finally {
      await runtime.close({ stopDatabase: true });
    }
  }

  /** Installs if needed, runs the daemon, and drains it on a signal. A signal that came before the daemon ran counts too. */
  async #serve(runtime: Runtime, signals: StopSignals, flags: { api: boolean; worker: boolean; install: boolean }): Promise<void> {
    const { app, databaseUrl, jobConnections } = runtime;
    const { startDaemon } = await import('../src/main/daemon.ts');
    const { install } = await import('../src/main/install.ts');
    const { notifyReady } = await import('../src/main/service-manager.ts');
    const { migrationStatus, refuseOtherSchema, settledMigrationStatus } = await import('../src/db/migrate.ts');
    const isNew = (await migrationStatus(app)).executed.length === 0;
    if (isNew) await this.#keepSettings(app);
    const key = flags.install || isNew ? (await signals.orSecond(install(app, { daemons: 'drain' }))).api_key : null;
    const first = key === null ? undefined : handOverKey(app.config.dataDir, key, process.stdout.isTTY);
    // Print it now, because it can't be shown again: starting may still fail, for example if the port is in use.
    if (first !== undefined) this.log(first);
    if (signals.isStopping()) return;
    // Check this before the daemon is listed, because others wait for listed daemons; the daemon checks again once it is.
    refuseOtherSchema(await settledMigrationStatus(app));
    runtime.superviseDatabase();
    const version = versionOf(this.config.root);
    const announced = await announceDaemon(app, version, [...(flags.api ? ['api'] : []), ...(flags.worker ? ['worker'] : [])]);
    let reason: string | undefined;
    try {
      const daemon = await signals.orSecond(
        startDaemon(app, { api: flags.api, worker: flags.worker, databaseUrl, jobConnections, version }),
      );
      await record(app, daemon, signals);
      notifyReady(app);
      this.log(welcome(daemon.url, first !== undefined));
      void announced.drainAsked.then((why) => {
        reason = why;
        app.log.error({ reason }, 'the daemon has to end');
        signals.stop();
      });
      const failure = await signals.drain(() => daemon.stop());
      removeDaemonRecord(app.config.dataDir);
      if (failure !== undefined) throw failure;
    } finally {
      await announced.end();
    }
    if (reason !== undefined) throw conflict(`the daemon has ended: ${reason}`);
  }

  /** The first start installs, so it saves the settings as `install` does. It does so first: this may fail, and the API key can't be shown again. */
  async #keepSettings({ config, db }: App): Promise<void> {
    const { underLock } = await import('../src/db/lock.ts');
    const { keepSettings } = await import('../src/main/keep-settings.ts');
    const { refuseSecondInstallation } = await import('../src/main/second-installation.ts');
    refuseSecondInstallation(config);
    const { added } = await underLock(db, 'install', async () => keepSettings(config));
    if (added.length > 0) this.log(`Saved to ${settingsPath(config.dataDir)} for later commands: ${added.join(', ')}.`);
  }
}

/**
 * Records the daemon of the data directory. If another daemon has been recorded since this one began to start, stops this one and throws
 * `conflict`.
 */
async function record({ config, clock }: App, daemon: Daemon, signals: StopSignals): Promise<void> {
  const addresses = { url: daemon.url ?? null, metrics_url: daemon.metricsUrl ?? null };
  try {
    recordDaemon(config.dataDir, { ...addresses, started_at: clock.now().toISOString() });
  } catch (error) {
    await signals.orSecond(daemon.stop());
    throw error;
  }
}

function welcome(url: string | undefined, isFirst: boolean): string {
  const lines = [url === undefined ? 'Outreach is running without the API.' : `Outreach is ready at ${url}`];
  if (isFirst) {
    const program = programName();
    lines.push('', 'Next steps:');
    lines.push(
      `  ${program} account connect you@example.com --smtp-url smtps://you%40example.com@smtp.example.com --imap-url imaps://you%40example.com@imap.example.com`,
    );
    lines.push(`  ${program} contact import people.csv --list LIST`);
    lines.push(`  ${program} campaign create NAME --account you@example.com`);
    lines.push(`  ${program} dashboard`);
  }
  return lines.join('\n');
}

/**
 * Logs an uncaught exception and exits with 1, without a drain: the state of the process is unknown, and the next start
 * recovers as after a crash.
 */
function logUncaughtExceptions({ log }: App): void {
  process.once('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception: the daemon exits; the next start recovers its emails');
    process.exit(1);
  });
}

import { systemMailServer } from '../access/index.ts';
import type { App } from '../app.ts';
import { noteVersion } from '../core/metrics.ts';
import { watchStalls } from '../core/stalls.ts';
import { databaseProblem } from '../db/health.ts';
import { refuseOtherSchema, settledMigrationStatus } from '../db/migrate.ts';
import { type ApiServer, startApi } from '../http/server.ts';
import { trackingRoutes } from '../http/tracking-routes.ts';
import { MailboxPoller, MailboxWatch } from '../inbound/index.ts';
import { type Jobs, startJobs } from '../jobs/index.ts';
import { TimeTravelWatch } from '../maintenance/time-travel.ts';
import { type MetricsServer, type Readiness, startMetrics } from '../monitoring/index.ts';
import { HitLog } from '../tracking/index.ts';
import { startWatchdog } from './service-manager.ts';
import { timetable } from './timetable.ts';

export interface Daemon {
  /** The URL of the API; undefined with `--no-api`. */
  readonly url: string | undefined;
  /** The address of the metrics; undefined if they are not served. */
  readonly metricsUrl: string | undefined;
  /**
   * Drains: /readyz returns 503, no new jobs start, the email in flight of each account is finished, and leases are released. The API
   * answers until then. Resolves when everything has stopped.
   */
  stop(): Promise<void>;
}

export interface DaemonOptions {
  /** The connection URL of the database, for the job store. */
  databaseUrl: string;
  /** Maximum connections for the job store; ten by default. */
  jobConnections?: number | undefined;
  /** Version of the program, for the metrics. */
  version?: string;
  api?: boolean;
  worker?: boolean;
}

/** The composition root: starts the API, the jobs and the metrics. Throws `conflict` for a database with the schema of another version. */
export async function startDaemon(app: App, options: DaemonOptions): Promise<Daemon> {
  // A malformed setting stops the start, not the first invitation.
  systemMailServer(app.config);
  refuseOtherSchema(await settledMigrationStatus(app));

  if (options.version !== undefined) noteVersion(options.version);
  let draining = false;
  let jobs: Jobs | undefined;
  const readiness: Readiness = {
    problem: async () => (draining ? 'draining' : ((await databaseProblem(app.db)) ?? jobs?.problem())),
  };
  const hits = new HitLog(app);
  let api: ApiServer | undefined;
  if (options.api !== false) api = await startApi(app, readiness, [trackingRoutes(app, hits)]);
  const poller = new MailboxPoller(app);
  const watch = new MailboxWatch(app, poller);
  const timeTravel = new TimeTravelWatch(app);
  let metrics: MetricsServer | undefined;
  try {
    const urls = { databaseUrl: options.databaseUrl, mongodbUrl: app.config.mongodbUrl, connections: options.jobConnections };
    const { metricsHost, metricsPort } = app.config;
    if (metricsPort !== undefined) metrics = await startMetrics(app, readiness, { metricsHost, metricsPort });
    if (options.worker !== false) {
      // Checked before anything is sent.
      await timeTravel.check();
      timeTravel.start();
      jobs = await startJobs(app, { ...urls, timetable: timetable(app, poller) });
      watch.start();
    }
  } catch (error) {
    await Promise.all([api?.close(), metrics?.close(), timeTravel.stop()]);
    throw error;
  }
  const endWatchdog = startWatchdog(app);
  const endStallWatch = watchStalls(app.log);
  app.log.info({ url: api?.url, metrics: metrics?.url }, 'ready');

  return {
    url: api?.url,
    metricsUrl: metrics?.url,
    async stop() {
      draining = true;
      app.log.info('draining');
      await Promise.all([jobs?.drain(), watch.stop()]);
      await timeTravel.stop();
      poller.close();
      // Closed last, so that a drain can be observed, and links and unsubscribing keep working during it.
      await Promise.all([api?.close(), metrics?.close()]);
      await hits.flush();
      endWatchdog();
      endStallWatch();
      app.log.info('stopped');
    },
  };
}

import type { App } from '../app.ts';
import { OutreachError } from '../core/errors.ts';
import { databaseProblem } from '../db/health.ts';
import { migrationStatus, refuseNewerDatabase } from '../db/migrate.ts';
import { type ApiServer, startApi } from '../http/server.ts';
import { trackingRoutes } from '../http/tracking-routes.ts';
import { MailboxWatch } from '../inbound/index.ts';
import { type Jobs, startJobs } from '../jobs/index.ts';
import { type MetricsServer, startMetrics } from '../monitoring/index.ts';
import { HitLog } from '../tracking/index.ts';
import { timetable } from './timetable.ts';

export interface Daemon {
  /** Where the API listens, or undefined when it does not. */
  readonly url: string | undefined;
  /** Where metrics are served, or undefined when they are not. */
  readonly metricsUrl: string | undefined;
  /**
   * Drains: answers /readyz with 503, takes no new requests or jobs, lets the mail in flight of each account finish,
   * gives leases back. Resolves when nothing of it runs any more.
   */
  stop(): Promise<void>;
}

export interface DaemonOptions {
  /** Connection URL of the database, for the job store. */
  databaseUrl: string;
  api?: boolean;
  worker?: boolean;
}

/** The composition root: the only place that knows every room. Needs a database whose migrations have run. */
export async function startDaemon(app: App, options: DaemonOptions): Promise<Daemon> {
  const status = await migrationStatus(app);
  refuseNewerDatabase(status);
  if (status.pending.length > 0)
    throw new OutreachError('conflict', `the database lacks ${status.pending.join(', ')}; run: outreach migrate`);

  let draining = false;
  const readiness = {
    problem: async () => (draining ? 'draining' : databaseProblem(app.db)),
  };
  const hits = new HitLog(app);
  let api: ApiServer | undefined;
  if (options.api !== false) api = await startApi(app, readiness, [trackingRoutes(app, hits)]);
  const watch = new MailboxWatch(app);
  let jobs: Jobs | undefined;
  let metrics: MetricsServer | undefined;
  try {
    const urls = { databaseUrl: options.databaseUrl, mongodbUrl: app.config.mongodbUrl };
    if (app.config.metricsPort !== undefined) metrics = await startMetrics(app, app.config.metricsHost, app.config.metricsPort);
    if (options.worker !== false) {
      jobs = await startJobs(app, { ...urls, timetable: timetable(app) });
      watch.start();
    }
  } catch (error) {
    await Promise.all([api?.close(), metrics?.close()]);
    throw error;
  }
  app.log.info({ url: api?.url, metrics: metrics?.url }, 'ready');

  return {
    url: api?.url,
    metricsUrl: metrics?.url,
    async stop() {
      draining = true;
      app.log.info('draining');
      await Promise.all([api?.close(), jobs?.drain(), watch.stop()]);
      // To the last: what a drain waits for can be seen.
      await metrics?.close();
      await hits.flush();
      app.log.info('stopped');
    },
  };
}

import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operator } from '../access/index.ts';
import { connectAccount } from '../accounts/index.ts';
import type { App } from '../app.ts';
import { type Clock, DAY, HOUR, ManualClock, MINUTE } from '../core/clock.ts';
import { loadConfig } from '../core/config.ts';
import { OutreachError } from '../core/errors.ts';
import { createLogger } from '../core/log.ts';
import { seededRandom } from '../core/random.ts';
import { formatTimestamp } from '../core/timestamp-text.ts';
import { countAutoReplied } from '../inbound/index.ts';
import { parseMailUrl } from '../mail/mail-url.ts';
import { startDaemon } from '../main/daemon.ts';
import { install } from '../main/install.ts';
import { openRuntime } from '../main/runtime.ts';
import { DemoApi, startCampaign } from './campaign.ts';
import { Crowd } from './crowd.ts';
import { MAILBOX, type MailServers, startMailServers } from './mail-servers.ts';
import { passTime } from './pass-time.ts';
import { inventPeople } from './people.ts';
import { addsUp, compare, type ReportLine, type Stats } from './report.ts';

export interface DemoOptions {
  /** Real seconds that the nine days of the campaign should take. */
  seconds: number;
  /** The number of simulated contacts. */
  contacts: number;
  /** Ends the demo early. */
  signal: AbortSignal;
  /** Called once the campaign is running, with the address of its daemon and an API key. */
  onRunning(address: { url: string; key: string }): void;
  /** If set, everything keeps running after the campaign until `signal`; called once when the campaign is completed. */
  onKept?: ((address: { url: string; key: string }) => void) | undefined;
  /** Called about once a second. */
  onProgress(progress: DemoProgress): void;
}

interface DemoProgress {
  /** The demo's clock: UTC, `YYYY-MM-DD HH:MM:SS`. */
  now: string;
  stats: Stats;
}

export interface DemoReport {
  lines: ReportLine[];
  /** False if the demo was ended before the campaign was completed. */
  isComplete: boolean;
  addsUp: boolean;
}

/** From Monday to Tuesday of the next week: three steps with waits of two and three days, and a weekend. */
const SPAN = 9 * DAY;
/** A Monday morning. With the same seed, the same contacts do the same in every run. */
const START = new Date('2026-03-02T07:30:00Z');
const SEED = 8025;
/** The demo fails after this time. A machine that needs longer has another problem. */
const MAX_MILLISECONDS = 15 * MINUTE;
/** One step of the clock. */
const STEP = 15 * MINUTE;
const PROGRESS_MILLISECONDS = 1_000;

/**
 * Runs a whole campaign in a temporary installation with its own data directory, embedded PostgreSQL, mail servers on the
 * loopback interface, simulated contacts, and a clock that runs days in seconds but waits for unfinished work. Deletes
 * everything at the end.
 */
export async function runDemo(options: DemoOptions): Promise<DemoReport> {
  const clock = new ManualClock(START);
  const random = seededRandom(SEED);
  const people = inventPeople(options.contacts, random);
  let servers: MailServers | undefined;
  const crowd = new Crowd(people, clock, random, (raw) => servers?.deliver(raw));
  const dataDir = mkdtempSync(join(tmpdir(), 'outreach-demo-'));
  // PostgreSQL does not run as root; its own user must be able to reach its files.
  chmodSync(dataDir, 0o711);
  try {
    servers = await startMailServers(clock, crowd.refuses, crowd.receive);
    return await withDaemon(dataDir, clock, (app, address) =>
      conduct(app, address, { options, servers: servers as MailServers, clock, crowd, people }),
    );
  } finally {
    await servers?.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

interface Address {
  url: string;
  key: string;
}

/** Starts a daemon that ignores the settings of the machine's own installation. */
async function withDaemon<Result>(dataDir: string, clock: Clock, work: (app: App, address: Address) => Promise<Result>): Promise<Result> {
  const port = await freePort();
  const settings = {
    dataDir,
    host: '127.0.0.1',
    port,
    baseUrl: `http://127.0.0.1:${port}`,
    tickSeconds: 0.1,
    pollIntervalSeconds: HOUR / 1_000,
    // Accounts are polled only by the demo's clock.
    idleConnections: 0,
  };
  const runtime = await openRuntime(loadConfig({ ...settings, logLevel: 'silent' }, {}), {
    clock,
    log: createLogger('silent'),
    poolSize: 10,
  });
  try {
    const { api_key: key } = await install(runtime.app, { adminEmail: 'you@example.com', adminName: 'You' });
    const daemon = await startDaemon(runtime.app, { databaseUrl: runtime.databaseUrl });
    try {
      return await work(runtime.app, { url: daemon.url ?? '', key: key ?? '' });
    } finally {
      await daemon.stop();
    }
  } finally {
    await runtime.close({ stopDatabase: true });
  }
}

/** The parts of a running demo. */
interface Cast {
  options: DemoOptions;
  servers: MailServers;
  clock: ManualClock;
  crowd: Crowd;
  people: ReturnType<typeof inventPeople>;
}

async function conduct(app: App, address: Address, { options, servers, clock, crowd, people }: Cast): Promise<DemoReport> {
  const api = new DemoApi(address.url, address.key);
  const accountId = await connectDemoAccount(app, servers);
  const campaignId = await startCampaign(api, accountId, people);
  options.onRunning(address);
  const deadline = performance.now() + Math.max(MAX_MILLISECONDS, 3 * options.seconds * 1_000);
  const stepMilliseconds = (options.seconds * 1_000 * STEP) / SPAN;
  const readStats = () => api.get<Stats>(`/campaigns/${campaignId}/stats`);
  const isOver = async () => (await api.get<{ status: string }>(`/campaigns/${campaignId}`)).status === 'completed' && !crowd.isExpectant;
  let reportedAt = Number.NEGATIVE_INFINITY;
  // Time lost in busy hours is made up during nights and the weekend.
  let dueAt = performance.now();
  while (!options.signal.aborted && !(await isOver())) {
    if (performance.now() > deadline)
      throw new OutreachError('internal_error', "the demo did not finish: the daemon can't keep up with the demo's clock on this machine");
    if (performance.now() - reportedAt > PROGRESS_MILLISECONDS) {
      reportedAt = performance.now();
      options.onProgress({ now: formatTimestamp(clock.now()), stats: await readStats() });
    }
    dueAt += stepMilliseconds;
    await passTime(app, clock, crowd, { step: STEP, atLeast: dueAt - performance.now(), signal: options.signal });
  }
  // The last messages are in the INBOX by now; it is polled once an hour.
  for (let hour = 0; hour < 3 && !options.signal.aborted; hour++)
    await passTime(app, clock, crowd, { step: HOUR, atLeast: 0, signal: options.signal });
  const totalOf = async (path: string) => (await api.get<{ pagination: { total: number } }>(path)).pagination.total;
  const lines = compare(crowd.deeds, await readStats(), {
    unsubscribed: await totalOf('/events?type=unsubscribed&limit=1'),
    suppressions: await totalOf('/suppressions?limit=1'),
    automatic: await countAutoReplied(app.db),
  });
  const report = { lines, isComplete: !options.signal.aborted, addsUp: addsUp(lines) };
  if (options.onKept !== undefined && report.isComplete) {
    options.onKept(address);
    await once(options.signal, 'abort');
  }
  return report;
}

async function connectDemoAccount(app: App, { smtpPort, imapPort }: MailServers): Promise<number> {
  const access = (kind: 'smtp' | 'imap', port: number) => ({
    server: parseMailUrl(`${kind}://${encodeURIComponent(MAILBOX.user)}@127.0.0.1:${port}`, kind).server,
    secret: { pass: MAILBOX.password },
  });
  const { id } = await connectAccount(app, operator(1, 1), {
    email: MAILBOX.user,
    provider: 'smtp',
    smtp: access('smtp', smtpPort),
    imap: access('imap', imapPort),
    settings: { from_name: 'Mia Example', daily_send_limit: 400, send_batch_min: 20, send_batch_max: 30, send_batch_interval_minutes: 60 },
  });
  return id;
}

/** Links in emails contain the port, so it must be known before the daemon listens. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

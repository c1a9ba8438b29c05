import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook as Verifier } from 'standardwebhooks';
import { operator } from '../../src/access/index.ts';
import type { App } from '../../src/app.ts';
import { activateCampaign } from '../../src/campaigns/index.ts';
import { loadConfig } from '../../src/core/config.ts';
import { createLogger } from '../../src/core/log.ts';
import { seededRandom } from '../../src/core/random.ts';
import { install } from '../../src/main/install.ts';
import { openRuntime } from '../../src/main/runtime.ts';
import { createWebhook } from '../../src/webhooks/index.ts';
import { afterFile } from '../support/after-file.ts';
import { bulkCampaign, connectBulkAccount } from '../support/bulk-campaigns.ts';
import { type DovecotServer, hasDovecot, startDovecot } from '../support/dovecot.ts';
import { debianPostgres, type OwnServer, startPostgres } from '../support/postgres.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { TEST_SECRET } from '../support/secret.ts';
import { Fleet } from './fleet.ts';
import { type JobServer, startJobServer } from './job-server.ts';
import type { JobStoreKind, Machine } from './machine.ts';
import { hasSmtpSink, type Sink, startOwnSink, startPostfixSink } from './sinks.ts';
import { smallDisk } from './small-disk.ts';
import { Wire } from './wire.ts';

/** A password that must not appear in any log. */
export const CANARY = 'canary-5f1d7c0b';
/** Emails that an account may send a minute, which is the interval of its batches. */
export const BATCH = 10;
/** Accounts with a mailbox, from the first one on. */
const POLLED = 10;
/**
 * Milliseconds to and from an SMTP server: long enough to catch a client in a place, short enough that most batches end between two kills.
 */
const LATENCY = 10;
/** The daily limit of the last account, which is below its number of emails. */
export const SMALL_LIMIT = 30;
const STEPS = 2;

interface ChaosAccount {
  email: string;
  sink: Sink['name'];
  isPolled: boolean;
  /** True for the account with the small limit. */
  isLimited: boolean;
}

export interface World {
  readonly folder: string;
  readonly app: App;
  readonly adminKey: string;
  readonly postgres: OwnServer;
  readonly sinks: readonly Sink[];
  readonly imap: DovecotServer | undefined;
  /** Undefined if the jobs are in PostgreSQL. */
  readonly jobServer: JobServer | undefined;
  readonly fleet: Fleet;
  readonly wires: { postgres: Wire; smtp: readonly Wire[]; imap: Wire | undefined };
  /** Accounts by id. */
  readonly accounts: ReadonlyMap<number, ChaosAccount>;
  /** The receiver, and the ids of messages that it could not verify. */
  readonly webhook: { receiver: Receiver; unsigned: string[] };
  /** The folder of a small disk for PostgreSQL; undefined if none can be created. */
  readonly disk: string | undefined;
}

export interface Size {
  daemons: number;
  accounts: number;
  /** Contacts of each account's campaign, which has two steps. */
  contacts: number;
  jobs: JobStoreKind;
}

const caller = operator(1, 1);

/** Starts every server, connects the accounts, fills their campaigns, and starts the daemons. Taken down by `undoAll`. */
export async function startWorld(size: Size, machine: Machine): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'outreach-chaos-'));
  chmodSync(folder, 0o711);
  afterFile(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const disk = machine.canMount ? smallDisk(folder, 1_500) : undefined;
  const postgres = await startPostgres({ bin: debianPostgres, ...(disk === undefined ? {} : { parent: disk }) });
  await postgres.set({ max_connections: '300', max_wal_size: '128MB', min_wal_size: '64MB' });
  await postgres.stop();
  await postgres.start();
  const sinks = [await startOwnSink(folder, CANARY), ...(hasSmtpSink ? [await startPostfixSink(folder)] : [])];
  const jobServer = size.jobs === 'mongodb' ? await startJobServer(folder) : undefined;
  const addresses = Array.from({ length: size.accounts }, (_, index) => `a${index}@example.com`);
  const users = Object.fromEntries(addresses.slice(0, POLLED).map((email) => [email, CANARY]));
  const imap = hasDovecot ? await startDovecot({ users }) : undefined;
  if (imap !== undefined) afterFile(() => imap.close());

  const wires = {
    postgres: await wireTo(postgres.port),
    smtp: await Promise.all(sinks.map((sink) => wireTo(sink.port, { open: LATENCY, slow: 600 }))),
    imap: imap && (await wireTo(imap.port)),
  };
  const direct = `postgres://tester:secret@127.0.0.1:${postgres.port}/postgres`;
  const dataDir = join(folder, 'operator');
  mkdirSync(dataDir);
  const config = loadConfig({ dataDir, databaseUrl: direct, secretKey: TEST_SECRET, logLevel: 'silent', webhooksAllowPrivate: true }, {});
  const { app, close } = await openRuntime(config, { log: createLogger('silent'), random: seededRandom(1), poolSize: 5 });
  afterFile(() => close());
  const { api_key: adminKey } = await install(app);
  const receiver = await startReceiver();
  const { secret } = await createWebhook(app, caller, { url: receiver.url, types: ['event.replied'] });
  const unsigned = verifyWith(receiver, secret);
  const accounts = new Map<number, ChaosAccount>();
  const connectOne = async (email: string, index: number) => {
    // Accounts with a mailbox use our own sink.
    const which = index < POLLED ? 0 : index % sinks.length;
    const is = { limited: index === addresses.length - 1, polled: index < POLLED };
    const id = await connect(app, email, which, wires, is);
    accounts.set(id, { email, sink: sinks[which]?.name ?? 'own', isPolled: is.polled && imap !== undefined, isLimited: is.limited });
    const campaign = await bulkCampaign(app, caller, `c${index}`, id, size.contacts, STEPS);
    await activateCampaign(app, caller, campaign, null);
  };
  const left = addresses.entries();
  const connectRest = async () => {
    for (const [index, email] of left) await connectOne(email, index);
  };
  await Promise.all(Array.from({ length: 4 }, connectRest));
  const env = {
    ...{
      OUTREACH_WEBHOOKS_ALLOW_PRIVATE: 'true',
      OUTREACH_POLL_INTERVAL_SECONDS: '10',
      OUTREACH_LOG_LEVEL: 'info',
      OUTREACH_TICK_SECONDS: '1',
    },
    ...(jobServer === undefined ? {} : { MONGODB_URL: jobServer.url }),
  };
  const databaseUrl = `postgres://tester:secret@127.0.0.1:${wires.postgres.port}/postgres`;
  const fleet = new Fleet({ folder, count: size.daemons, databaseUrl, env, hasFaketime: machine.hasFaketime });
  afterFile(() => fleet.end());
  await fleet.start();
  const servers = { postgres, sinks, imap, jobServer, wires, webhook: { receiver, unsigned } };
  return { folder, app, adminKey: adminKey ?? '', ...servers, fleet, accounts, disk };
}

/** Returns the ids of the accounts that have a mailbox. */
export const polledAccounts = ({ accounts }: Pick<World, 'accounts'>): number[] =>
  [...accounts].flatMap(([id, { isPolled }]) => (isPolled ? [id] : []));

/**
 * Verifies every message on arrival, because its signature is valid for five minutes. Returns the ids of the messages that are not genuine.
 */
function verifyWith(receiver: Receiver, secret: string): string[] {
  const verifier = new Verifier(secret);
  const unsigned: string[] = [];
  receiver.answer((res, { headers, body }) => {
    try {
      verifier.verify(body, headers as Record<string, string>);
    } catch {
      unsigned.push(`${headers['webhook-id']} has a wrong signature`);
    }
    res.writeHead(204).end();
  });
  return unsigned;
}

async function wireTo(port: number, latency?: { open: number; slow: number }): Promise<Wire> {
  const wire = new Wire(port, latency);
  await wire.listen();
  afterFile(() => wire.close());
  return wire;
}

/** Connects an account through the wires. @param which the sink that it sends to */
function connect(
  app: App,
  email: string,
  which: number,
  wires: World['wires'],
  is: { limited: boolean; polled: boolean },
): Promise<number> {
  return connectBulkAccount(app, caller, {
    // Postfix's sink has no logins.
    ...{ email, smtpUrl: `smtp://${which === 0 ? 'me@' : ''}127.0.0.1:${wires.smtp[which]?.port}`, password: CANARY, batch: BATCH },
    ...(is.limited ? { dailyLimit: SMALL_LIMIT } : {}),
    ...(is.polled && wires.imap !== undefined ? { imapUrl: `imap://${encodeURIComponent(email)}@127.0.0.1:${wires.imap.port}` } : {}),
  });
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '../app.ts';
import type { Config } from '../core/config.ts';
import { type DnsLookups, nameServers } from '../core/dns.ts';
import { messageOf } from '../core/errors.ts';
import { createLogger } from '../core/log.ts';
import { INTERNET, type Network } from '../core/network.ts';
import { withPublicUrl } from '../daemons/index.ts';
import { openRuntime } from '../main/runtime.ts';
import { checkAccounts, listAccounts } from './accounts.ts';
import { checkMailboxes } from './contacts.ts';
import { type Finding, fail } from './finding.ts';
import { checkHealth } from './health.ts';
import {
  checkDaemon,
  checkDatabase,
  checkDataDir,
  checkJobStore,
  checkMigrations,
  checkPublicAddress,
  checkSecret,
  checkSettingsFiles,
} from './installation.ts';

export interface ExamineOptions {
  /** The address of the daemon of this data directory; null if it runs without the API, undefined if none is running. */
  daemonUrl: string | null | undefined;
  dns?: DnsLookups;
  network?: Network;
}

/** Checks everything that sending depends on, and changes nothing. Omits checks that an earlier failure makes impossible. */
export async function examine(
  config: Config,
  { daemonUrl, dns = nameServers(config.nameServers), network = INTERNET }: ExamineOptions,
): Promise<Finding[]> {
  const here = [checkDataDir(config), checkSecret(config), checkSettingsFiles(config)].filter((finding) => finding !== null);
  if (here.some(({ result }) => result === 'fail')) return here;
  const { findings, known } = await examineDatabase(config, dns, network);
  return [...here, ...findings, checkPublicAddress(known), await checkDaemon(daemonUrl)];
}

/** Checks the database and what is in it. `known` are the settings, completed with the public URL that only a running daemon knows. */
async function examineDatabase(config: Config, dns: DnsLookups, network: Network): Promise<{ findings: Finding[]; known: Config }> {
  // Opening the runtime would create an embedded server.
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'postgres', 'PG_VERSION')))
    return { findings: [fail('database', `Outreach is not installed in ${config.dataDir}; run: outreach install`)], known: config };
  try {
    const runtime = await openRuntime(config, { log: createLogger('silent'), poolSize: 4, network, applicationName: 'outreach doctor' });
    try {
      return await examineInstallation(runtime.app, dns);
    } finally {
      await runtime.close();
    }
  } catch (error) {
    return { findings: [fail('database', messageOf(error))], known: config };
  }
}

async function examineInstallation(app: App, dns: DnsLookups): Promise<{ findings: Finding[]; known: Config }> {
  const database = [await checkDatabase(app), await checkMigrations(app), await checkJobStore(app.config)];
  if (database[1]?.result === 'fail') return { findings: database, known: app.config };
  const accounts = await listAccounts(app);
  const [logins, health] = await Promise.all([checkAccounts(app, accounts), checkHealth(app, accounts, dns)]);
  const findings = [...database, await checkMailboxes(app), ...logins, ...health];
  return { findings, known: await withPublicUrl(app.db, app.config) };
}

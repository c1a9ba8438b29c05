import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { domainToASCII } from 'node:url';
import type { App } from '../app.ts';
import type { Config } from '../core/config.ts';
import { messageOf } from '../core/errors.ts';
import { createLogger } from '../core/log.ts';
import { INTERNET, type Network } from '../core/network.ts';
import { openRuntime } from '../main/runtime.ts';
import { checkAccounts, listAccounts } from './accounts.ts';
import { checkMailboxes } from './contacts.ts';
import { checkDkim } from './dkim-dns.ts';
import { type Finding, fail } from './finding.ts';
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
import { checkSenderDomain, type DnsLookups, systemDns } from './sender-dns.ts';
import { checkTrackingHosts } from './tracking-hosts.ts';

export interface ExamineOptions {
  /** The address of the daemon of this data directory; null if it runs without the API, undefined if none is running. */
  daemonUrl: string | null | undefined;
  dns?: DnsLookups;
  network?: Network;
}

/** Checks everything that sending depends on, and changes nothing. Checks that an earlier failure makes impossible are omitted. */
export async function examine(config: Config, { daemonUrl, dns = systemDns(), network = INTERNET }: ExamineOptions): Promise<Finding[]> {
  const here = [checkDataDir(config), checkSecret(config), checkSettingsFiles(config)].filter((finding) => finding !== null);
  if (here.some(({ result }) => result === 'fail')) return here;
  return [...here, ...(await examineDatabase(config, dns, network)), checkPublicAddress(config), await checkDaemon(daemonUrl)];
}

async function examineDatabase(config: Config, dns: DnsLookups, network: Network): Promise<Finding[]> {
  // Opening would create an embedded server.
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'postgres', 'PG_VERSION')))
    return [fail('database', `Outreach is not installed in ${config.dataDir}; run: outreach install`)];
  try {
    const runtime = await openRuntime(config, { log: createLogger('silent'), poolSize: 4, network, applicationName: 'outreach doctor' });
    try {
      return await examineInstallation(runtime.app, dns);
    } finally {
      await runtime.close();
    }
  } catch (error) {
    return [fail('database', messageOf(error))];
  }
}

async function examineInstallation(app: App, dns: DnsLookups): Promise<Finding[]> {
  const database = [await checkDatabase(app), await checkMigrations(app), await checkJobStore(app.config)];
  if (database[1]?.result === 'fail') return database;
  const accounts = await listAccounts(app);
  const domains = [...new Set(accounts.map(({ email }) => domainToASCII(email.slice(email.lastIndexOf('@') + 1))))];
  const [logins, ...records] = await Promise.all([
    checkAccounts(app, accounts),
    checkTrackingHosts(app),
    ...domains.map((domain) => checkSenderDomain(domain, dns)),
    ...accounts.map(({ id, dkim }) => checkDkim({ id, dkim: dkim ?? [] }, dns, app.clock.now())),
  ]);
  return [...database, await checkMailboxes(app), ...logins, ...records.flat()];
}

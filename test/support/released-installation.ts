import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { migrations } from '../../migrations/index.ts';
import { backUp } from '../../src/maintenance/backup.ts';
import { makeOneOfEach } from './one-of-each.ts';
import { startSender } from './sender.ts';
import { servedInstallation } from './served.ts';
import { startSmtpSink } from './smtp-sink.ts';

const FOLDER = fileURLToPath(new URL('../fixtures/', import.meta.url));

/** Data of a release's installation beside its backup: what a test needs to continue with it, and what must never change. */
export interface ReleasedInstallation {
  /** An API key of its admin. */
  key: string;
  campaign_id: number;
  /** Three contacts who were sent the first of two emails; the last opted out since. */
  emailed: string[];
  /** SHA-256 of each migration, by its name. */
  migrations: Record<string, string>;
}

/** The SHA-256 of each migration of this version, by its name. */
export const migrationSums = (): Record<string, string> =>
  Object.fromEntries(migrations.map(({ name, up }) => [name, createHash('sha256').update(up).digest('hex')]));

/** Returns the backup of a release's installation, and its data. */
export const releasedInstallation = (version: string) => ({
  backup: `${FOLDER}${version}.backup`,
  released: JSON.parse(readFileSync(`${FOLDER}${version}.json`, 'utf8')) as ReleasedInstallation,
});

/**
 * Creates an installation with one of each thing and a running campaign, and writes its backup to test/fixtures. Done once, when a release
 * is made.
 */
export async function writeReleasedInstallation(version: string): Promise<void> {
  const { app, api, caller, adminKey } = await servedInstallation({ webhooksAllowPrivate: true });
  await makeOneOfEach(app, api, 1, 1);
  const sink = await startSmtpSink({ users: { me: 'secret' } });
  const emailed = ['ada@example.org', 'grace@example.org', 'alan@example.org'];
  const sender = await startSender({ app, caller }, sink, {
    steps: [{ subject: 'A question' }, { subject: '', wait_days: 2 }],
    contacts: emailed.map((email) => ({ email })),
  });
  await sender.batch();
  await api.post('/suppressions', { email: 'alan@example.org' });
  await sink.close();
  await backUp(app, `${FOLDER}${version}.backup`);
  const released: ReleasedInstallation = { key: adminKey, campaign_id: sender.campaignId, emailed, migrations: migrationSums() };
  writeFileSync(`${FOLDER}${version}.json`, `${JSON.stringify(released, null, 2)}\n`);
}

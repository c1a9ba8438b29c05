import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, it } from 'vitest';
import { connectAccount } from '../../src/accounts/index.ts';
import { resumeAccount } from '../../src/campaigns/index.ts';
import { migrationStatus } from '../../src/db/migrate.ts';
import { parseMailUrl } from '../../src/mail/mail-url.ts';
import { startDaemon } from '../../src/main/daemon.ts';
import { restore } from '../../src/maintenance/restore.ts';
import { afterFile } from '../support/after-file.ts';
import { apiClient } from '../support/api-client.ts';
import { testInstallation } from '../support/database.ts';
import { numberFaults } from '../support/number-faults.ts';
import { migrationSums, releasedInstallation, writeReleasedInstallation } from '../support/released-installation.ts';
import { batchesOf } from '../support/sender.ts';
import { startSmtpSink } from '../support/smtp-sink.ts';

/** With RELEASED_INSTALLATION=1.0.0 an installation of this checkout becomes that of this version: once, when a release is made. */
const { RELEASED_INSTALLATION: made } = process.env;
if (made !== undefined) await writeReleasedInstallation(made);

const versions = globSync(new URL('../fixtures/*.backup', import.meta.url).pathname).map((path) => basename(path, '.backup'));

// "From 1.0.0 on migrations are append-only, and an installation of 1.0.0 is restored, migrated and continued by every later version."
it.each(versions)('an installation of %s is restored, migrated and continued', async (version) => {
  const { backup, released } = releasedInstallation(version);
  expect(migrationSums()).toMatchObject(released.migrations);
  const { app, caller, clock, databaseUrl } = await testInstallation({ webhooksAllowPrivate: true });
  const { migrated } = await restore(app, backup, { replace: true });
  expect([...Object.keys(released.migrations), ...migrated].toSorted()).toEqual(Object.keys(migrationSums()).toSorted());
  expect((await migrationStatus(app)).pending).toEqual([]);
  expect(await numberFaults(app)).toEqual([]);

  // Its keys, records and opt-outs are there, over the API of this version.
  const daemon = await startDaemon(app, { worker: false, databaseUrl });
  afterFile(() => daemon.stop());
  const api = apiClient(daemon.url ?? '', released.key);
  const campaign = `/campaigns/${released.campaign_id}`;
  expect((await api.get(campaign)).body).toMatchObject({ status: 'paused', step_count: 2, contact_count: 3 });
  expect((await api.get(`${campaign}/stats`)).body).toMatchObject({ sent: 3 });
  for (const path of ['/contacts', '/lists', '/templates', '/replies', '/webhooks', '/rotations', '/drafts', '/keys', '/suppressions'])
    expect((await api.get(path)).body.data, path).not.toEqual([]);

  // The rest of the sequence leaves, in its thread: to whom is still in it, once.
  const sink = await startSmtpSink({ users: { me: 'secret' } });
  afterFile(() => sink.close());
  const { account_email: email } = (await api.get(campaign)).body;
  const smtp = { server: parseMailUrl(`smtp://me@127.0.0.1:${sink.port}`, 'smtp').server, secret: { pass: 'secret' } };
  const { id } = await connectAccount(app, caller, { email, provider: 'smtp', smtp });
  await resumeAccount(app, caller, id);
  clock.advance(3 * 24 * 3_600_000);
  for (let round = 1; round <= 3; round++) await batchesOf(app).run(id);
  expect(sink.messages.map(({ to, headers }) => [to, headers.get('subject'), headers.has('in-reply-to')])).toEqual(
    released.emailed.slice(0, 2).map((to) => [[to], 'Re: A question', true]),
  );
  expect((await api.get(`${campaign}/stats`)).body).toMatchObject({ sent: 5 });
});

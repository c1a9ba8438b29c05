import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { connectAccount, openSmtp } from '../../src/accounts/index.ts';
import type { App } from '../../src/app.ts';
import { resumeAccount } from '../../src/campaigns/index.ts';
import { migrationStatus } from '../../src/db/migrate.ts';
import { sql } from '../../src/db/statement.ts';
import { startDaemon } from '../../src/main/daemon.ts';
import { type RestoreResult, restore } from '../../src/maintenance/restore.ts';
import { createSealer } from '../../src/secrets/seal.ts';
import { linkPath, readLink } from '../../src/tracking/token.ts';
import { afterFile } from '../support/after-file.ts';
import { apiClient } from '../support/api-client.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { batchesOf } from '../support/sender.ts';
import { startSmtpSink } from '../support/smtp-sink.ts';
import { numberFaults } from '../support/number-faults.ts';

/**
 * An installation of the first version, restored and migrated, goes on: ids, statistics, suppressions, credentials, links and keys
 * still work, and nobody gets an email a second time. The backup lies beside the project; see its README.
 */

const folder = fileURLToPath(new URL('../../../shared/fixtures/first-round/', import.meta.url));
const BACKUP = `${folder}first-round.backup`;
const KEY = 'ork_h0siGB5pj4hnAI3M7OvqDmdFAgOP4jhJ891d78a9';
const isThere = existsSync(BACKUP);
if (!isThere) console.warn(`skipped: there is no backup of the first version in ${folder}`);

let installation: TestInstallation;
let app: App;
let restored: RestoreResult;

describe.runIf(isThere)('a backup of the first version', () => {
  beforeAll(async () => {
    installation = await testInstallation();
    const sealer = createSealer(readFileSync(`${folder}secret.key`, 'utf8'));
    app = { ...installation.app, sealer };
    await expect(restore(app, BACKUP, { replace: true })).rejects.toThrow(/no signature.*--unsigned/);
    restored = await restore(app, BACKUP, { replace: true, unsigned: true });
  });
  const count = async (table: 'enrolments' | 'outbox' | 'suppressions') =>
    (await app.db.query<{ count: number }>(sql([`select count(*)::int as count from ${table}`])))[0]?.count;

  it('is migrated to the present schema, with every row of it', async () => {
    expect((await migrationStatus(app)).pending).toEqual([]);
    expect(restored).toMatchObject({ rows: 877, tables: 32 });
    expect([await count('enrolments'), await count('outbox'), await count('suppressions')]).toEqual([40, 40, 4]);
    expect(await numberFaults(app)).toEqual([]);
  });

  it('its API key opens the API, and its links are signed as before', async () => {
    const daemon = await startDaemon(app, { worker: false, databaseUrl: installation.databaseUrl });
    afterFile(() => daemon.stop());
    const api = apiClient(daemon.url ?? '', KEY);
    expect(await api.get('/me')).toMatchObject({ status: 200, body: { user_id: 1, role: 'admin' } });
    const { body } = await api.get('/campaigns');
    const stats = await Promise.all(body.data.map(({ id }: { id: number }) => api.get(`/campaigns/${id}/stats`)));
    expect(stats.reduce((sum, answer) => sum + answer.body.sent, 0)).toBe(40);
    const [, , mail = '', signature = ''] = linkPath(app.sealer, 'u', 7).split('/');
    expect(readLink(app.sealer, 'u', { mail, signature })).toMatchObject({ outboxId: 7 });
  });

  it('its credentials open, bound to their servers from now on', async () => {
    const accounts = await app.db.query<{ id: number }>(sql`select id from accounts order by id`);
    expect(accounts).toHaveLength(3);
    for (const { id } of accounts) expect(await openSmtp(app, id)).toMatchObject({ host: '127.0.0.1', port: 26_270 });
    await app.db.query(sql`update accounts set smtp = smtp || '{"port": 9}' where id = 1`);
    await expect(openSmtp(app, 1)).rejects.toThrow("can't be decrypted");
    await app.db.query(sql`update accounts set smtp = smtp || '{"port": 26270}' where id = 1`);
  });

  it('goes on with the second step: everybody gets it once, and nobody the first again', async () => {
    const sink = await startSmtpSink({ users: { me: 'secret' } });
    afterFile(() => sink.close());
    const before = await app.db.query<{ recipient: string }>(sql`select recipient from outbox order by recipient`);
    installation.clock.set('2026-11-26T10:00:00Z');
    const accounts = await app.db.query<{ id: number; email: string }>(sql`select id, email from accounts order by id`);
    const server = { host: '127.0.0.1', port: sink.port, secure: false, tls: 'off', user: 'me' } as const;
    for (const { email } of accounts)
      await connectAccount(app, installation.caller, { email, provider: 'smtp', smtp: { server, secret: { pass: 'secret' } } });
    for (const { id } of accounts) {
      await resumeAccount(app, installation.caller, id);
      await batchesOf(app).run(id);
    }
    const steps = await app.db.query(sql`
      select step_order, count(*)::int as emails, count(distinct enrolment_id)::int as people from outbox
      where state = 'accepted' group by 1 order by 1`);
    const people = before.length;
    expect(steps).toEqual([
      { step_order: 1, emails: people, people },
      { step_order: 2, emails: sink.messages.length, people: sink.messages.length },
    ]);
    expect(sink.messages.map(({ to }) => to[0]).sort()).toEqual([...new Set(sink.messages.map(({ to }) => to[0]))].sort());
    expect(sink.messages.length).toBeGreaterThan(30);
  });
});

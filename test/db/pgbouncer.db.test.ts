import { expect, it } from 'vitest';
import { prepared, sql } from '../../src/db/statement.ts';
import { testInstallation } from '../support/database.ts';
import { hasPgbouncer, startPgbouncer } from '../support/pgbouncer.ts';
import { enrolmentsOf, startMailServers, startSender } from '../support/sender.ts';

/** docs/database.md: behind PgBouncer in transaction mode, with the direct URL beside it, everything works. */

it.skipIf(!hasPgbouncer)('every kind of statement and a whole batch go through PgBouncer in transaction mode', async () => {
  const installation = await testInstallation(async (databaseUrl) => ({
    databaseUrl: await startPgbouncer(databaseUrl),
    databaseDirectUrl: databaseUrl,
  }));
  const { app } = installation;
  const question = (value: number) => sql`select ${value}::int as value`;
  const asked = Array.from({ length: 100 }, (_, value) => value);
  const answers = await Promise.all(
    asked.map((value) =>
      Promise.all([
        app.db.query(question(value)),
        app.db.query(prepared('asked', question(value))),
        app.db.forRequests().query(question(value)),
        app.db.forRequests().query(prepared('asked', question(value))),
        app.db.tx((tx) => tx.query(prepared('asked', question(value)))),
        app.db.bulk((tx) => tx.query(question(value))),
      ]),
    ),
  );
  expect(answers).toEqual(asked.map((value) => Array(6).fill([{ value }])));

  const settings = sql`select current_setting('statement_timeout') as timeout, current_setting('jit') as jit`;
  expect(await app.db.tx((tx) => tx.query(settings))).toEqual([{ timeout: '1min', jit: 'off' }]);

  const { sink } = await startMailServers();
  const sender = await startSender(installation, sink, { contacts: Array.from({ length: 40 }, () => ({})) });
  expect(await sender.batch()).toEqual({ sent: 40, other: 0 });
  expect(new Set(sink.messages.map(({ to }) => String(to))).size).toBe(40);
  expect((await enrolmentsOf(installation, sender.campaignId)).map(({ status }) => status)).toEqual(Array(40).fill('completed'));
});

it.skipIf(!hasPgbouncer)('without the direct URL it is refused, and the message names the setting', async () => {
  const alone = testInstallation(async (databaseUrl) => ({ databaseUrl: await startPgbouncer(databaseUrl) }));
  await expect(alone).rejects.toThrow(/can't be reached .*unsupported startup parameter.*OUTREACH_DATABASE_DIRECT_URL/);
});

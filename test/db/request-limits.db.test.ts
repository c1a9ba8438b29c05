import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { prepared, type Queryable, sql } from '../../src/db/statement.ts';
import { testInstallation } from '../support/database.ts';
import { refusal, servedInstallation } from '../support/served.ts';

const LIMITS = sql`
  select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
    current_setting('idle_in_transaction_session_timeout') as idle`;
const OWN = { statement: '1min', lock: '30s', idle: '30s' };
const OF_REQUESTS = { statement: '30s', lock: '5s', idle: '30s' };

describe('Limits of time in the database', () => {
  it('requests have shorter ones than jobs, in single statements and in transactions, and leave none behind', async () => {
    const { app } = await testInstallation();
    const shared = app.db.forRequests({ workspaceId: 1, countCharacters: () => undefined });
    const limits = async (db: Queryable, statement = LIMITS) => (await db.query(statement))[0];
    for (let round = 0; round < 3; round++) {
      expect(await limits(shared)).toEqual(OF_REQUESTS);
      expect(await shared.tx((tx) => limits(tx))).toEqual(OF_REQUESTS);
      expect((await shared.query(prepared('limits', LIMITS)))[0]).toEqual(OF_REQUESTS);
      expect(await limits(app.db)).toEqual(OWN);
      expect(await app.db.tx((tx) => limits(tx))).toEqual(OWN);
      expect((await app.db.query(prepared('limits', LIMITS)))[0]).toEqual(OWN);
    }
    expect(await app.db.bulk((tx) => limits(tx))).toEqual({ statement: '0', lock: '0', idle: '0' });
  });

  it('a request that meets a locked row is told so after five seconds, and nothing was changed', async () => {
    const { api, databaseUrl } = await servedInstallation();
    const { body } = await api.post('/lists', { name: 'Before' });
    const other = new pg.Client({ connectionString: databaseUrl });
    await other.connect();
    await other.query('begin');
    await other.query(`select 1 from lists where id = ${body.id} for update`);
    const startedAt = performance.now();
    expect(await api.patch(`/lists/${body.id}`, { name: 'After' })).toMatchObject(
      refusal(500, 'internal_error', 'somebody else is changing'),
    );
    // A job would be told so after 30.
    expect(performance.now() - startedAt).toBeLessThan(30_000);
    await other.query('rollback');
    await other.end();
    expect((await api.get(`/lists/${body.id}`)).body.name).toBe('Before');
  });
});

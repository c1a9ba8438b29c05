import pg from 'pg';
import { expect, it } from 'vitest';
import { databaseProblem } from '../../src/db/health.ts';
import { servedInstallation } from '../support/served.ts';
import { waitUntil } from '../support/wait-until.ts';

const { app, url, databaseUrl } = await servedInstallation();
const ready = async () => {
  const response = await fetch(`${url}/readyz`);
  return { status: response.status, body: (await response.json()) as { status?: string; error?: { code: string; message: string } } };
};

it('GET /readyz answers 200 while the database can be written to', async () => {
  expect(await ready()).toEqual({ status: 200, body: { status: 'ready' } });
});

it('GET /readyz answers 503 with the reason where it is read-only, and 200 again afterwards', async () => {
  const name = new URL(databaseUrl).pathname.slice(1);
  const admin = new pg.Client({ connectionString: databaseUrl });
  await admin.connect();
  // For connections that are made from now on.
  const renew = async () =>
    void (await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()', [
      name,
    ]));
  try {
    await admin.query(`alter database ${name} set default_transaction_read_only = on`);
    await renew();
    const { body } = await waitUntil('it is not ready', async () => {
      const answer = await ready();
      return answer.body.error?.message.includes('is read-only') ? answer : undefined;
    });
    expect(body).toEqual({ error: { code: 'internal_error', message: expect.stringMatching(/^the database is read-only/) } });
    await admin.query(`alter database ${name} reset default_transaction_read_only`);
    await renew();
    await waitUntil('it is ready again', async () => (await ready()).status === 200);
  } finally {
    await admin.end();
  }
});

it('a database that keeps silent is a problem after a while, not a request without an end', async () => {
  const taken = await Promise.all(Array.from({ length: 10 }, () => app.db.pool.connect()));
  try {
    expect(await databaseProblem(app.db, 0.1)).toBe('the database did not respond within 0.1 s');
  } finally {
    for (const client of taken) client.release();
  }
  expect(await databaseProblem(app.db)).toBeUndefined();
});

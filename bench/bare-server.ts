import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import express from 'express';
import pg from 'pg';
import type { RecordedRequest, RecordedStatement } from './recorded.ts';

/**
 * The ceiling of the API: only express and pg, unconfigured, with the same statements, recorded from our functions. It looks up the key by
 * its hash and then runs the statements of the request, concurrently where our functions do. `?no-total` after a path omits the total of a
 * page. Prints its address.
 */
const { key, requests } = JSON.parse(readFileSync(process.env.BENCH_RECORDING ?? '', 'utf8')) as {
  key: RecordedStatement;
  requests: Record<string, RecordedRequest>;
};
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL ?? '', max: 20 });
const names = new Map<string, string>();

/** Runs a statement, prepared once per connection if ours is. */
async function run({ text, values, isPrepared }: RecordedStatement): Promise<pg.QueryResultRow[]> {
  if (!isPrepared) return (await pool.query(text, values)).rows;
  if (!names.has(text)) names.set(text, `bare_${names.size}`);
  return (await pool.query({ name: names.get(text) ?? '', text, values })).rows;
}

async function answer(url: string, authorization: string | undefined): Promise<unknown> {
  const hash = createHash('sha256')
    .update((authorization ?? '').slice('Bearer '.length))
    .digest();
  if ((await run({ ...key, values: [hash] })).length === 0) throw new Error('unknown key');
  const [path = '', option] = url.split('?no-total');
  const request = requests[path];
  if (request === undefined) throw new Error(`${url} was not recorded`);
  const { shape, statements, pagination } = request;
  if (shape === 'row') return (await all(statements))[0]?.[0];
  if (shape === 'page') {
    const [data, count] = await Promise.all(statements.slice(0, option === undefined ? 2 : 1).map(run));
    return { data, pagination: { total: Number(count?.[0]?.total), ...pagination } };
  }
  const results = await all(statements);
  return { data: results.at(-1), pagination: { total: results.at(-2)?.[0]?.total, ...pagination } };
}

/** Runs the statements one after the other. */
async function all(statements: readonly RecordedStatement[]): Promise<pg.QueryResultRow[][]> {
  const results = [];
  for (const statement of statements) results.push(await run(statement));
  return results;
}

const app = express();
app.get('/api/v1/*path', (req, res, next) => {
  answer(req.url, req.headers.authorization).then((body) => void res.json(body), next);
});
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
const server = app.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
process.on('SIGTERM', () => process.exit());
